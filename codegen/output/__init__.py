"""Files as one set: manifest, staged publish, check. The only stage that touches the disk."""
