FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml requirements.txt README.md LICENSE MANIFEST.in ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY .ci/wheel .ci/wheel
COPY stammtisch stammtisch
COPY agents agents
COPY domain domain
COPY projections projections
COPY service service
COPY openapi openapi
COPY web web
COPY clients/verifiers clients/verifiers
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data stammtisch && install -d -o stammtisch /data
COPY --from=build /venv /venv
USER stammtisch
WORKDIR /data
VOLUME /data
ENV STAMMTISCH_HOST=0.0.0.0 STAMMTISCH_DATABASE=/data/stammtisch.db PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD \
    ["/venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/ready')"]
ENTRYPOINT ["/venv/bin/stammtisch"]
CMD ["serve"]
