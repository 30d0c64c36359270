//! Starts the page.

fn main() {
    vramfit::ui::start();
}
