import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, TestUser } from '#test/app.ts'
import { waitUntil } from '#test/app.ts'
import { givenOperador } from '#test/builders.ts'
import { type AtendimentoApp, createAtendimentoApp } from './atendimento-app.ts'

let rig: AtendimentoApp
/** Two operadores act at the same time. */
let pair: readonly [Pick<TestUser, 'request'>, Pick<TestUser, 'request'>]
beforeAll(async () => {
  rig = await createAtendimentoApp()
})
afterAll(() => rig.close())

const addOperador = (nome: string): Promise<TestUser> =>
  givenOperador(rig.app, { ...rig.app.admin, request: rig.dona.request }, { nome })

const TIMES = 100
const inParallel = (path: string, body?: unknown): Promise<Answer[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, n) => pair[n % 2 === 0 ? 0 : 1].request('POST', path, body)))

/** The only success, and the code that all others have. */
function outcome(answers: readonly Answer[]): { readonly winners: number; readonly codes: unknown[] } {
  const lost = answers.filter(({ status }) => status >= 300)
  return { winners: answers.length - lost.length, codes: [...new Set(lost.map(({ body }) => body['codigo']))] }
}
const openOf = (telefone: string) =>
  rig.app.sql(
    `select v.operador_id, v.protocolo from conversas v join contatos c on c.id = v.contato_id
     where c.telefone = $1 and v.status <> 'finalizada'`,
    [telefone],
  )

describe('100 simultaneous acts', () => {
  // New ones for each test, because a login may make 600 requests a minute.
  beforeEach(async ({ task }) => {
    pair = [await addOperador(`Rui ${task.id}`), await addOperador(`Teo ${task.id}`)]
  })

  it('open one conversa with an unknown number and one with a customer of the bot', async () => {
    const served = '5511914000001'
    await rig.customerSays(served, 'oi')
    for (const telefone of ['5511914000000', served]) {
      const answers = await inParallel('/atendimento/conversas', { telefone, mensagem: 'PESSOA' })
      expect(outcome(answers)).toEqual({ winners: 1, codes: ['conversaAberta'] })
      expect(await openOf(telefone)).toHaveLength(1)
      expect(await rig.app.sql('select 1 from contatos where telefone = $1', [telefone])).toHaveLength(1)
      await waitUntil(async () => (await rig.textsOnPhone(telefone)).includes('PESSOA'))
      expect((await rig.textsOnPhone(telefone)).filter((texto) => texto === 'PESSOA')).toHaveLength(1)
    }
  })

  it('reopen a conversa once', async () => {
    const { id, telefone } = await rig.newWaitingCustomer()
    await rig.dona.act(id, 'finalizar')
    const answers = await inParallel(`/atendimento/conversas/${id}/reabrir`)
    expect(outcome(answers)).toEqual({ winners: 1, codes: ['conversaAberta'] })
    expect(await openOf(telefone)).toHaveLength(1)
  })

  it('transfer a waiting conversa to a person once', async () => {
    const { id, telefone } = await rig.newWaitingCustomer()
    const body = { operadorId: (await addOperador('Ugo')).usuario.id, motivo: 'Pediu o Ugo' }
    const answers = await inParallel(`/atendimento/conversas/${id}/transferir`, body)
    expect(outcome(answers)).toEqual({ winners: 1, codes: ['conversaAssumida'] })
    expect(await openOf(telefone)).toMatchObject([{ operador_id: body.operadorId }])
    expect(await rig.app.sql('select 1 from notas where conversa_id = $1', [id])).toHaveLength(1)
  })

  it('take a waiting conversa for one person and release it once', async () => {
    const { id } = await rig.newWaitingCustomer()
    const answers = await inParallel(`/atendimento/conversas/${id}/assumir`)
    // The winner may take the conversa again.
    expect(outcome(answers)).toEqual({ winners: TIMES / 2, codes: ['conversaAssumida'] })
    const released = await inParallel(`/atendimento/conversas/${id}/soltar`)
    expect(outcome(released)).toEqual({ winners: 1, codes: ['semPermissao'] })
  })
})

describe('an operador who is deleted meanwhile', () => {
  it.each(['open', 'reopen', 'receive'])('does not %s a conversa', async (act) => {
    const gone = await addOperador(`Gil ${act}`)
    const { id, telefone } = await rig.newWaitingCustomer()
    if (act !== 'receive') await rig.dona.act(id, 'finalizar')
    const owner = await rig.app.database.owner.connect()
    try {
      await owner.query('begin')
      await owner.query('select 1 from contatos where telefone = $1 for update', [telefone])
      const calls = {
        open: () => gone.request('POST', '/atendimento/conversas', { telefone }),
        reopen: () => gone.request('POST', `/atendimento/conversas/${id}/reabrir`),
        receive: () => rig.dona.act(id, 'transferir', { operadorId: gone.usuario.id }),
      } as const
      const call = Object.entries(calls).find(([name]) => name === act)?.[1]()
      await waitUntil(async () => (await waitingForLocks()) > 0)
      expect((await rig.dona.request('DELETE', `/conta/operadores/${gone.usuario.id}`)).status).toBe(200)
      await owner.query('commit')
      const refused = await call
      expect([refused?.status, refused?.body['codigo']]).toEqual(
        act === 'receive' ? [400, 'operadorForaDoSetor'] : [409, 'conflito'],
      )
    } finally {
      owner.release()
    }
    const served = await rig.app.sql('select 1 from conversas where operador_id = $1', [gone.usuario.id])
    expect(served).toEqual([])
  })
})

const waitingForLocks = async (): Promise<number> =>
  (
    await rig.app.sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
    )
  ).length
