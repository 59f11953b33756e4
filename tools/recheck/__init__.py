"""An independent checker of attest's certificates: Python's standard library only, no code or data of attest."""
