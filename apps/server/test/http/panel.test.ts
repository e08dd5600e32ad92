import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, createTestApp } from '#test/app.ts'

let app: TestApp
let dist: string
beforeAll(async () => {
  dist = await mkdtemp('/tmp/balcao-dist-')
  await mkdir(join(dist, 'assets'))
  for (const page of ['index.html', 'app.html']) await writeFile(join(dist, page), `<p>${page}</p>`)
  await writeFile(join(dist, 'assets', 'a.js'), 'x'.repeat(5_000))
  // Another content shows which file was sent.
  await writeFile(join(dist, 'assets', 'a.js.br'), brotliCompressSync('stored'))
  app = await createTestApp({ dist, background: false, trustProxy: true })
})
afterAll(async () => {
  await app?.close()
  await rm(dist, { recursive: true, force: true })
})

/** Sends one request text many times on one connection and returns all answers. */
async function pipeline(request: string, times: number): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const line = connect(Number(port), hostname)
  let answers = ''
  await new Promise<void>((resolve) => {
    line.on('data', (bytes) => {
      answers += String(bytes)
      if (answers.split('HTTP/1.1 ').length > times) resolve()
    })
    line.write(request.repeat(times))
  })
  line.destroy()
  return answers
}

const countOf = (answers: string, status: number): number => answers.split(`HTTP/1.1 ${status}`).length - 1

describe('servePanel', () => {
  it('sends the stored compressed file', async () => {
    const reply = await fetch(`${app.url}/assets/a.js`, { headers: { 'accept-encoding': 'br' } })
    expect([reply.headers.get('content-encoding'), await reply.text()]).toEqual(['br', 'stored'])
    expect(reply.headers.get('content-type')).toContain('javascript')
    expect(reply.headers.get('cache-control')).toContain('immutable')
    expect((await fetch(`${app.url}/assets/a.js.br`)).status).toBe(404)
  })

  it('limits files per address and not the API', async () => {
    const ip = 'x-forwarded-for: 198.51.100.70\r\n'
    const since = performance.now()
    const answers = await pipeline(`GET /assets/a.js HTTP/1.1\r\nhost: x\r\n${ip}\r\n`, 3_000)
    const windows = 1 + Math.ceil((performance.now() - since) / 2_000)
    expect(countOf(answers, 200)).toBeLessThanOrEqual(1_000 * windows)
    expect(countOf(answers, 429)).toBeGreaterThan(0)
    expect(countOf(await pipeline(`GET /api/health HTTP/1.1\r\nhost: x\r\n${ip}\r\n`, 1), 200)).toBe(1)
  })
})

describe('unknown URLs', () => {
  it.each(['/api/nao-existe', '/nao-existe'])('limits %s and reads no body', async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.71\r\ncontent-type: application/json\r\n`
    const answers = await pipeline(`${head}content-length: 1\r\n\r\n{`, 3_000)
    // A body that was read would be refused with 400.
    expect(countOf(answers, 404) + countOf(answers, 429)).toBe(3_000)
    expect(countOf(answers, 429)).toBeGreaterThan(0)
  })
})

describe('public routes', () => {
  it('refuses a body above 16 KB', async () => {
    const raw = JSON.stringify({ email: 'a@loja.test', senha: 'x'.repeat(17_000) })
    expect((await app.send('POST', '/auth/login', { raw })).status).toBe(413)
  })
})
