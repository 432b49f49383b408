//! Medians and percentiles of what was measured.

/// The middle of the values, which one disturbed round does not move; `NaN` when there are none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.get(middle), middle.checked_sub(1).and_then(|below| sorted.get(below))) {
        (Some(upper), Some(lower)) if sorted.len().is_multiple_of(2) => f64::midpoint(*lower, *upper),
        (Some(value), _) => *value,
        (None, _) => f64::NAN,
    }
}

/// Least and greatest of the values.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| (least.min(value), greatest.max(value)))
}

/// The value that `per_mille` of the sorted values do not exceed; zero when there are none.
pub fn percentile(sorted: &[u32], per_mille: usize) -> u32 {
    let rank = (sorted.len() * per_mille).div_ceil(1_000).saturating_sub(1);
    sorted.get(rank).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_values_lies_between_the_middle_two() {
        for (values, expected) in [(vec![3.0], 3.0), (vec![9.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0, 3.0, 2.0], 2.5)] {
            assert!((median(values.clone()) - expected).abs() < 1e-9, "{values:?}");
        }
        assert!(median([]).is_nan());
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let hundred: Vec<u32> = (1..=100).collect();
        for (per_mille, expected) in [(0, 1), (500, 50), (990, 99), (1_000, 100)] {
            assert_eq!(percentile(&hundred, per_mille), expected, "{per_mille}");
        }
        assert_eq!(percentile(&[], 500), 0);
    }
}
