# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The served playground: a marimo app that shows the widget, each page with a kernel of its own."""

# mypy: disable-error-code="misc, untyped-decorator, no-untyped-def, no-untyped-call"
import marimo

app = marimo.App(width="full", app_title="headwright playground")


@app.cell
def _():
    import marimo as mo

    from headwright.playground import serving
    from headwright.playground.widget import Playground

    mo.ui.anywidget(Playground(**serving.given()))
    return


if __name__ == "__main__":
    app.run()
