"""The TypeScript target."""
