import { createApiClient } from '@balcao/e2e/api.ts'
import type { Product } from '@balcao/e2e/product.ts'
import { median, percentile } from '../messages/meters.ts'
import { atMost, figure, type Line, type Section, shown } from '../report.ts'

const READS_PER_PERSON = 4
const GOAL_MS = 30
const VIEWS = ['minhas', 'fila', 'semResposta', 'mencoes', 'todas'] as const

/** Each person reads in turn: the list of each view, and the numbers of all. */
export async function measureViews(product: Product, operadores: readonly string[]): Promise<Section> {
  const people = operadores.map((token) => createApiClient(product.url, token, 'aberta'))
  const measure = async (name: string, path: string): Promise<Line[]> => {
    const times: number[] = []
    for (let n = 0; n < people.length * READS_PER_PERSON; n += 1) {
      const start = performance.now()
      await people[n % people.length]?.get(path)
      times.push(performance.now() - start)
    }
    return [
      shown(`${name}, p50`, figure(median(times), 'ms')),
      atMost(`${name}, p95`, percentile(times, 95), GOAL_MS, 'ms'),
    ]
  }
  const lines: Line[] = []
  for (const visao of VIEWS) {
    const path = `/atendimento/conversas?visao=${visao}&limite=40&mensagens=1`
    lines.push(...(await measure(`view ${visao}, 40 conversations`, path)))
  }
  lines.push(...(await measure('numbers of the views', '/atendimento/contagens')))
  return {
    title: `People: the views of ${people.length} people, 10,000 open conversations`,
    lines,
    notes: ['One request at a time, each by the next person.'],
  }
}
