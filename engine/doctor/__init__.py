"""Look whether a bench can be trusted before it is used: what is wrong is named, and nothing unknown is called well."""
