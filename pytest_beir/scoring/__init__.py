"""Scoring: rankings and judgements in, per-query values out, as trec_eval computes them."""
