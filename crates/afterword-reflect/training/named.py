"""Logistic models over named features, as `model.rs` reads them."""

# No feature is divided by less than this, so that what is rare cannot weigh without bound.
LEAST_SPREAD = 0.15


def model(fitted, names, mean, spread):
    """A model that was fitted to features less their mean, in units of their spread."""
    slopes = fitted.coef_[0] / spread
    return {
        "bias": round(float(fitted.intercept_[0]), 5),
        "weights": {name: {"mean": round(float(m), 5), "weight": round(float(w), 5)} for name, m, w in zip(names, mean, slopes) if abs(w) >= 0.001},
    }
