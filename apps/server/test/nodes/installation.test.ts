import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { waitUntil } from '#test/app.ts'
import { readSeries, seriesIn } from '#test/metrics.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'

let fleet: TestFleet
beforeAll(async () => {
  fleet = await createFleet(2)
})
afterAll(() => fleet.close())

const readAt = async ({ app }: FleetNode): Promise<SistemaAdmin> =>
  adminSistemaRoute.response.parse((await app.request('GET', '/admin/sistema')).body)

it('shows the nodes, their packets and the most bots of each', async () => {
  const [a, b] = fleet.nodes
  if (a === undefined || b === undefined) throw new Error('no node')
  b.app.deps.realtime.publish(a.app.admin.contaId, 'botStatusChange', { userId: a.app.admin.contaId, status: 'PARADO' })
  const shown = await waitUntil(async () => {
    const read = await readAt(a)
    return read.nos.find(({ id }) => id === b.id)?.ultimoRecadoS === null ? null : read
  })
  expect(shown).toMatchObject({ botsPorNoMaximo: 190, recados: { recebidos: expect.any(Number), lacunas: 0 } })
  expect(shown.recados.recebidos).toBeGreaterThan(0)
  expect(shown.nos.find(({ id }) => id === a.id)).toMatchObject({ este: true, bots: 0, ultimoRecadoS: null })
  expect(shown.nos.find(({ id }) => id === b.id)).toMatchObject({ saindo: false, arquivosCompartilhados: false })
})

it('measures packets between nodes and shows the database on one node only', async () => {
  const [a, b] = fleet.nodes
  if (a === undefined || b === undefined) throw new Error('no node')
  const frames = await readSeries(a.app, 'balcao_recado_segundos_count')
  expect(frames).toBeGreaterThan(0)
  expect(await readSeries(a.app, 'balcao_recado_segundos_sum')).toBeLessThan(frames * 60)
  expect(await readSeries(a.app, 'balcao_bots_maximo')).toBe(190)
  expect(await readSeries(a.app, 'balcao_arquivos_compartilhados')).toBe(0)
  const showing = async (): Promise<number> => {
    const texts = await Promise.all(fleet.nodes.map(({ app }) => app.send('GET', '/metrics')))
    return texts.filter(({ text }) => seriesIn(text, 'balcao_bots_livres') !== null).length
  }
  await waitUntil(async () => (await showing()) === 1)
})
