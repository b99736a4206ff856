# docker build -t webclean . && curl -s https://example.org | docker run -i webclean clean -
FROM python:3.12-slim AS build
COPY . /src
RUN pip install --no-cache-dir --target /site "/src[serve]"
FROM python:3.12-slim
COPY --from=build /site /site
ENV PYTHONPATH=/site PYTHONDONTWRITEBYTECODE=1
USER nobody
ENTRYPOINT ["python", "-m", "webclean"]
