//! What an hour on a card costs, by default.

/// The price of one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The card's id.
    pub card: &'static str,
    /// Euro cents for an hour.
    pub cents_per_hour: i64,
}

/// The day of the prices, year-month-day.
pub const PRICES_DATE: &str = "2026-11-11";

/// Prices "from", in euros. Source: VRAMfarm's article on CUDA out of memory, 11 November 2026.
pub const PRICES: [Price; 4] = [
    Price {
        card: "rtx-4090",
        cents_per_hour: 59,
    },
    Price {
        card: "rtx-5090",
        cents_per_hour: 76,
    },
    Price {
        card: "l40s",
        cents_per_hour: 106,
    },
    Price {
        card: "h100-80gb",
        cents_per_hour: 390,
    },
];

/// Euro cents for an hour on the card of that id.
pub fn cents_per_hour(card: &str) -> Option<i64> {
    PRICES
        .iter()
        .find(|price| price.card == card)
        .map(|price| price.cents_per_hour)
}
