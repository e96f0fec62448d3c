"""The screens of the Textual client, one file each."""
