raise ValueError("nothing written")
