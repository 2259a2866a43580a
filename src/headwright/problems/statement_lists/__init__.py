"""The statements that essay questions offer, one file per theme: true ones and common mistakes, in no telling order."""
