import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { givenConta } from '#test/builders.ts'
import { formWithPicture, produtoFrom } from '#test/produtos/loja-requests.ts'
import { testPicture } from '#test/produtos/test-pictures.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'

let fleet: TestFleet | undefined
afterEach(() => fleet?.close())
const folders: string[] = []
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp('/tmp/balcao-nos-arquivos-')
  folders.push(folder)
  return folder
}
let shared: string
beforeAll(async () => {
  shared = await newFolder()
})
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Stores a picture on one node and asks another one for it. */
async function pictureOf(from: FleetNode, at: FleetNode): Promise<Response> {
  const dona = await givenConta(from.app)
  const fields = { nome: 'Caneca', descricao: 'Azul', preco: '10' }
  const form = formWithPicture(await testPicture(40, 30).png().toBuffer(), fields)
  const { imagemUrl } = produtoFrom(await dona.request('POST', '/produtos', form))
  return fetch(`${at.app.url}${imagemUrl}`)
}

describe('storage of several nodes', () => {
  it('serves a picture of one node on another with one folder', async () => {
    fleet = await createFleet(0)
    const options = { sharedFiles: true, arquivosDir: shared }
    const [a, b] = [await fleet.start(options), await fleet.start(options)]
    expect(await a.app.sql('select arquivos from nos')).toEqual([{ arquivos: true }, { arquivos: true }])
    expect((await pictureOf(a, b)).status).toBe(200)
  })

  it('refuses a node that reads another folder than a live node', async () => {
    fleet = await createFleet(0)
    const first = await fleet.start({ sharedFiles: true, arquivosDir: shared })
    const other = fleet.start({ sharedFiles: true, arquivosDir: await newFolder() })
    await expect(other).rejects.toThrow('Este nó não lê os arquivos de outro nó.')
    expect(await first.app.sql('select id from nos')).toEqual([{ id: first.id }])
  })

  it('ignores the storage of a dead node and of an earlier process', async () => {
    fleet = await createFleet(0)
    const dataDir = await newFolder()
    const first = await fleet.start({ sharedFiles: true, arquivosDir: shared, settings: { dataDir } })
    await first.app.sql(
      `insert into nos (id, nome, versao, node, iniciado_em, visto_em, memoria, cpu, expira, arquivos, pasta, maquina)
       select gen_random_uuid(), 'morto', 'v', 'v', now(), now(), 0, 0, now() - interval '1 second', true, 'x', 'x'
       union all
       select gen_random_uuid(), 'antes', 'v', 'v', now(), now(), 0, 0, now() + interval '5 seconds', true, pasta, maquina
         from nos`,
    )
    await first.app.close()
    await fleet.start({ sharedFiles: true, arquivosDir: shared, settings: { dataDir } })
  })

  it('says that a picture is on another node when no storage is shared', async () => {
    fleet = await createFleet(2)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) throw new Error('no node')
    const answer = await pictureOf(a, b)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ erro: 'Este arquivo está em outro nó.' })
    expect((await pictureOf(a, a)).status).toBe(200)
  })
})
