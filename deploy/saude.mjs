// Health check of the container. Exits with 0 if the server answers.
const { PORT = '3000' } = process.env

try {
  const { ok } = await fetch(`http://127.0.0.1:${PORT || '3000'}/api/health`, { signal: AbortSignal.timeout(4_000) })
  process.exit(ok ? 0 : 1)
} catch {
  process.exit(1)
}
