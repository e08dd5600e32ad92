import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', '..', '..', 'deploy')

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ background: false })
})
afterAll(() => app?.close())

/** Names of `# TYPE` lines: the metrics of `/metrics`, also those without a series yet. */
const namesIn = (text: string): string[] => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)

const NAME = /\b(?:balcao|process)_[a-z0-9_]+/g

describe('deploy', () => {
  it.each(['prometheus/alertas.yml', 'prometheus/alertas.test.yml', 'grafana/balcao.json'])(
    'names only existing metrics in %s',
    async (file) => {
      const named = new Set(readFileSync(join(DEPLOY, file), 'utf8').match(NAME))
      const existing = namesIn((await app.send('GET', '/metrics')).text)
      const unknown = [...named].filter((name) => !existing.includes(name.replace(/_(?:bucket|sum|count)$/, '')))
      expect(named.size).toBeGreaterThan(5)
      expect(unknown).toEqual([])
    },
  )
})
