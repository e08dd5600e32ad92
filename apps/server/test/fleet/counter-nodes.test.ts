import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestUser, waitUntil } from '#test/app.ts'
import { countLockWaits, openConversas } from '#test/builders.ts'
import { createPushService, type PushService } from '#test/push/push-service.ts'
import { eventually } from '#test/realtime/listen.ts'
import { createSockets, type TestSocket } from '#test/realtime/sockets.ts'
import { createCounter, type Customer, idsOf, REMINDER, WARNING } from './counter.ts'
import { pause, SHORT } from './faults.ts'
import { useProcesses } from './fixture.ts'
import { at, type NodeProcess } from './processes.ts'

const fleet = useProcesses('counter-nodes', { env: { PUSH_LOOPBACK: '1' } })
const counter = createCounter(fleet)
const { sql } = counter
const rounds = Array.from({ length: SHORT ? 1 : 5 }, (_, n) => n)

const closing: (() => void)[] = []
beforeEach(() => fleet().heal())
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function bothNodes(): readonly [NodeProcess, NodeProcess] {
  const [a, b] = fleet().nodes
  if (a === undefined || b === undefined) throw new Error('a fleet of two has two nodes')
  return [a, b]
}

function windowAt({ url }: NodeProcess, user: Pick<TestUser, 'token'>): Promise<TestSocket> {
  const sockets = createSockets(url)
  closing.push(sockets.close)
  return sockets.connect(user)
}

const many = <T>(count: number, create: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, create))
/** Each of two nodes looks for due work this often. */
const LOOK_MS = 2_000
/** Some moment before both nodes looked. */
const someMoment = (): Promise<void> => pause((fleet().random() * LOOK_MS) / 2)

describe('distribution on two nodes', () => {
  const CAPACITY = 3
  /** By the id of the operador. */
  const loads = async (): Promise<Map<string, number>> => {
    const rows = await sql(
      `select operador_id, count(*)::int as n from conversas
       where status = 'em_atendimento' and operador_id is not null group by 1`,
    )
    return new Map(rows.map((row) => [String(row['operador_id']), Number(row['n'])]))
  }
  /** Locks the contatos until both nodes looked for work, so that passes of both nodes meet. */
  async function whileLocked(customers: readonly Customer[], change: () => Promise<void>): Promise<void> {
    const owner = await fleet().database.owner.connect()
    try {
      await owner.query('begin')
      await owner.query('select 1 from contatos where telefone = any ($1) for update', [
        customers.map(({ telefone }) => telefone),
      ])
      await change()
      await waitUntil(async () => (await countLockWaits({ sql })) > 0)
      await pause(LOOK_MS)
      await owner.query('commit')
    } finally {
      owner.release()
    }
  }
  const isPresent = async ({ usuario }: TestUser): Promise<boolean> =>
    (await sql('select 1 from presencas where usuario_id = $1 and saiu_em is null', [usuario.id])).length > 0

  it.for(rounds)('gives each conversa one owner and survives the death of a node, round %i', async (round) => {
    const [a, b] = bothNodes()
    const distribuicao = { modo: 'automatica', capacidade: CAPACITY, semRespostaMinutos: 0 } as const
    await counter.changeAtendimento({ distribuicao })
    const [ana, bia] = [await counter.addOperador(`Ana ${round}`), await counter.addOperador(`Bia ${round}`)]
    const watching = await windowAt(a, fleet().shop)
    const all = await many(2 * CAPACITY + 2, counter.waitingCustomer)
    await whileLocked(all, async () => {
      await windowAt(a, ana)
      await windowAt(b, bia)
      await waitUntil(async () => (await isPresent(ana)) && (await isPresent(bia)))
    })

    const most = (by: ReadonlyMap<string, number>): number => Math.max(0, ...by.values())
    let highest = 0
    const reaches = (user: TestUser, count: number): Promise<boolean> =>
      waitUntil(async () => {
        const by = await loads()
        highest = Math.max(highest, most(by))
        return by.get(user.usuario.id) === count
      })
    for (const user of [ana, bia]) await reaches(user, CAPACITY)
    const taken = (): unknown[] =>
      watching.received.flatMap(([name, data]) =>
        name === 'conversaAssumida' && data['automatica'] === true ? [data['conversaId']] : [],
      )
    await eventually(() => expect(taken()).toHaveLength(2 * CAPACITY))
    expect(new Set(taken()).size).toBe(2 * CAPACITY)

    const served = await sql('select id, operador_id from conversas where id = any ($1::uuid[])', [idsOf(all)])
    const ofUser = ({ usuario }: TestUser): string[] =>
      served.flatMap((row) => (row['operador_id'] === usuario.id ? [String(row['id'])] : []))
    const [answered = '', ...unanswered] = ofUser(bia)
    const biaAtB = at(b, bia)
    const said = await biaAtB.request('POST', `/atendimento/conversas/${answered}/mensagem`, { mensagem: 'Oi!' })
    expect(said.status).toBe(200)

    // Both nodes serve the queue while the node of one person dies.
    const finishing = ofUser(ana).map((id) => at(a, ana).request('POST', `/atendimento/conversas/${id}/finalizar`))
    const dying = someMoment().then(() => b.kill())
    await Promise.all([...finishing, dying])
    await waitUntil(async () => !(await isPresent(bia)))
    await reaches(ana, 2)
    expect((await loads()).get(bia.usuario.id)).toBe(CAPACITY)
    await sql(`update presencas set saiu_em = saiu_em - interval '2 minutes' where usuario_id = $1`, [bia.usuario.id])
    await reaches(bia, 1)
    await reaches(ana, CAPACITY)
    const left = await sql('select id, status, operador_id from conversas where id = any ($1::uuid[])', [
      [answered, ...unanswered],
    ])
    expect(left.find(({ id }) => id === answered)).toMatchObject({ operador_id: bia.usuario.id })
    const others = left.filter(({ id }) => id !== answered).map(({ status }) => status)
    expect([others.length, new Set(others)]).toEqual([2, new Set(['aguardando', 'em_atendimento'])])
    expect(highest).toBe(CAPACITY)
    await counter.changeAtendimento({ distribuicao: { ...distribuicao, modo: 'manual' } })
    for (const { id } of await openConversas(counter.dono())) {
      await counter.dono().request('POST', `/atendimento/conversas/${id}/finalizar`)
    }
  })
})

describe('timers on two nodes', () => {
  const COUNT = SHORT ? 2 : 6
  const inatividade = { ativa: true, avisoMinutos: 60, aviso: WARNING, encerrarMinutos: 60 }
  beforeAll(() => counter.changeAtendimento({ inatividade }))
  afterAll(() => counter.changeAtendimento({ inatividade: { ...inatividade, ativa: false } }))

  interface Timers {
    readonly due: () => Promise<void>
    /** Each timer fired. A timer of a bot that was not connected waits another minute, which this ends. */
    readonly untilFired: () => Promise<unknown>
    readonly effects: () => Promise<readonly (readonly number[])[]>
  }

  /** Conversas of three kinds: the warning, the end and the scheduled message are due. */
  async function givenTimers(): Promise<Timers> {
    await counter.untilConnected()
    const silent = await many(COUNT, counter.servedCustomer)
    const warned = await many(COUNT, counter.servedCustomer)
    const scheduled = await many(COUNT, counter.servedCustomer)
    for (const customer of scheduled) await counter.schedule(customer)
    await counter.untilSent()
    const late = [...idsOf(silent), ...idsOf(warned)]
    await counter.age(late, 200)
    await sql(`update prazos set avisado_em = now() - interval '61 minutes' where conversa_id = any ($1::uuid[])`, [
      idsOf(warned),
    ])
    const moveTimers = () => sql('update prazos set vence_em = now() where conversa_id = any ($1::uuid[])', [late])
    const open = `
      select 1 from agendadas where estado = 'marcada' and conversa_id = any ($1::uuid[])
      union all select 1 from prazos z join conversas v on v.id = z.conversa_id
      where z.tipo = 'silencio' and v.id = any ($2::uuid[]) and (z.avisado_em is null or z.avisado_em < now() - interval '1 hour')`
    const effectsOf = async (customer: Customer): Promise<readonly number[]> => [
      await counter.countOnPhone(customer, WARNING),
      await counter.countOnPhone(customer, '🙏'),
      await counter.countOnPhone(customer, REMINDER),
    ]
    return {
      due: async () => {
        await moveTimers()
        await sql('update agendadas set enviar_em = now() where conversa_id = any ($1::uuid[])', [idsOf(scheduled)])
      },
      untilFired: () =>
        waitUntil(async () => {
          await moveTimers()
          await pause(200)
          return (await sql(open, [idsOf(scheduled), late])).length === 0
        }),
      effects: () => Promise.all([...silent, ...warned, ...scheduled].map(effectsOf)),
    }
  }

  const kinds = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  const once = kinds.flatMap((effects) => Array.from({ length: COUNT }, () => effects))

  it.for(rounds)('fire once while both nodes look, round %i', async () => {
    const timers = await givenTimers()
    await timers.due()
    await timers.untilFired()
    await counter.untilSent()
    expect(await timers.effects()).toEqual(once)
  })

  it.for(rounds)('fire once when the node that has the bot is killed, round %i', async () => {
    const timers = await givenTimers()
    const holder = await waitUntil(() => fleet().holderOf(fleet().shop.contaId))
    await timers.due()
    await someMoment()
    await holder.kill()
    await timers.untilFired()
    await counter.untilSent()
    expect(await timers.effects()).toEqual(once)
  })
})

describe('notices on two nodes', () => {
  let service: PushService
  beforeAll(async () => {
    service = await createPushService()
  })
  afterAll(() => service.close())

  /** How many notices each of these conversas gave. */
  const noticesOf = (customers: readonly Customer[]): number[] =>
    idsOf(customers).map((id) => service.received.filter(({ conversaId }) => conversaId === id).length)
  const settled = async (customers: readonly Customer[]): Promise<boolean> => {
    const done = 'select 1 from push_avisos where conversa_id = any ($1::uuid[]) and proxima_em is null'
    return (await sql(done, [idsOf(customers)])).length === customers.length
  }
  /** Until the leader compared the conversas with the notices again, twice. */
  async function untilLooked(): Promise<void> {
    const looks = async (): Promise<unknown> => (await sql(`select comecou_em from tarefas where nome = 'push'`))[0]
    for (let look = 0; look < 2; look += 1) {
      const before = JSON.stringify(await looks())
      await waitUntil(async () => JSON.stringify(await looks()) !== before)
    }
  }

  it.for(rounds)('arrive once, and twice only if the node dies before it stores the answer, round %i', async () => {
    service.silent = false
    const subscribed = await counter.dono().request('POST', '/push/inscricoes', service.subscription())
    expect(subscribed.status).toBe(201)
    const before = await many(4, counter.waitingCustomer)
    await waitUntil(() => settled(before))
    await untilLooked()
    expect(noticesOf(before)).toEqual(before.map(() => 1))

    service.silent = true
    const unanswered = await many(2, counter.waitingCustomer)
    await waitUntil(() => noticesOf(unanswered).every((count) => count === 1))
    const [leader] = await sql(`select n.nome from tarefas t join nos n on n.id = t.no where t.nome = 'push'`)
    await fleet()
      .nodes.find(({ name }) => name === leader?.['nome'])
      ?.kill()
    service.silent = false
    const after = await many(2, counter.waitingCustomer)
    // The dead node reserved its notices for a minute.
    await sql('update push_avisos set proxima_em = now() where proxima_em is not null')
    await waitUntil(() => settled([...unanswered, ...after]))
    await untilLooked()
    expect(noticesOf(unanswered)).toEqual(unanswered.map(() => 2))
    expect(noticesOf([...before, ...after])).toEqual([...before, ...after].map(() => 1))
  })
})
