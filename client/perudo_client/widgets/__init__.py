"""The widgets of the Textual client, one file each; they know no connection."""
