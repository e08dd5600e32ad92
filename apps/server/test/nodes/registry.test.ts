import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleet, type TestFleet } from './fleet.ts'
import { waitUntil } from '#test/app.ts'

let fleet: TestFleet
beforeAll(async () => {
  fleet = await createFleet(2)
})
afterAll(() => fleet.close())

describe('rows of nodes', () => {
  it('name the others, and disappear when a node ends', async () => {
    const [a] = fleet.nodes
    const third = await fleet.start()
    await waitUntil(() => a?.app.deps.fleet.others().includes(third.id) === true)
    const left: string[] = []
    a?.app.deps.fleet.onLeft((node) => void left.push(node))
    await third.app.close()
    await waitUntil(() => left.includes(third.id))
    expect(await fleet.nodes[0]?.app.sql('select 1 from nos where id = $1', [third.id])).toEqual([])
  })

  it('are condemned after ten seconds without renewal, by a node whose own rounds succeeded', async () => {
    const [a] = fleet.nodes
    if (a === undefined) throw new Error('no node')
    const dead = '00000000-0000-4000-8000-000000000001'
    await a.app.sql(
      `insert into nos (id, nome, versao, node, iniciado_em, visto_em, memoria, cpu, expira)
       values ($1, 'morto', 'v', 'v', now(), now(), 0, 0, now() - interval '1 second')`,
      [dead],
    )
    const condemned = async (): Promise<boolean> =>
      (await a.app.sql('select 1 from nos where id = $1 and morto_em is not null', [dead])).length === 1
    expect(await condemned()).toBe(false)
    await waitUntil(condemned)
  })

  it('end the process whose row another node condemned', async () => {
    let ended = false
    const node = await fleet.start({ condemned: () => (ended = true) })
    await node.app.sql('update nos set morto_em = now() where id = $1', [node.id])
    await waitUntil(() => ended)
    await node.app.close()
  })

  it('refuse a node with a copy of the data folder of a living one', async () => {
    const [first] = fleet.nodes
    if (first === undefined) throw new Error('no node')
    const { dataDir } = first.app.deps.settings
    await expect(fleet.start({ settings: { dataDir } })).rejects.toThrow('cópia desta pasta de dados')
    const rows = await first.app.sql(
      'select id, morto_em from nos where pasta = (select pasta from nos where id = $1)',
      [first.id],
    )
    expect(rows).toEqual([{ id: first.id, morto_em: null }])
  })

  it('leave no ended process of the same data folder alive', async () => {
    const [first] = fleet.nodes
    if (first === undefined) throw new Error('no node')
    const dataDir = await mkdtemp('/tmp/balcao-pasta-')
    const earlier = await fleet.start({ settings: { dataDir } })
    const [row] = await first.app.sql('select pasta, maquina from nos where id = $1', [earlier.id])
    expect(row).toMatchObject({ pasta: expect.stringMatching(/^[0-9a-f-]{36}$/), maquina: expect.any(String) })
    await earlier.app.close()
    await first.app.sql(
      `insert into nos (id, nome, versao, node, iniciado_em, visto_em, memoria, cpu, expira, pasta, maquina)
       values ($1, 'antes', 'v', 'v', now(), now(), 0, 0, now() + interval '10 seconds', $2, $3)`,
      [earlier.id, row?.['pasta'], row?.['maquina']],
    )
    const second = await fleet.start({ settings: { dataDir } })
    expect(await first.app.sql('select 1 from nos where morto_em is not null and id = $1', [earlier.id])).toHaveLength(
      1,
    )
    await second.app.close()
    await rm(dataDir, { recursive: true, force: true })
  })
})
