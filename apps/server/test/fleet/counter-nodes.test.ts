import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestUser, waitUntil } from '#test/app.ts'
import { countLockWaits, openConversas } from '#test/builders.ts'
import { createPushService, type PushService } from '#test/push/push-service.ts'
import { eventually } from '#test/realtime/listen.ts'
import { createSockets, type TestSocket } from '#test/realtime/sockets.ts'
import { createCounter, type Customer, idsOf, REMINDER, SUMMARY, WARNING } from './counter.ts'
import { pause, SHORT } from './faults.ts'
import { useProcesses } from './fixture.ts'
import { at, type NodeProcess } from './processes.ts'

const fleet = useProcesses('counter-nodes', { env: { PUSH_LOOPBACK: '1' } })
const counter = createCounter(fleet)
const { sql } = counter
const rounds = Array.from({ length: SHORT ? 1 : 5 }, (_, n) => n)
/** Each of two nodes looks for due work this often. */
const LOOK_MS = 2_000
const CAPACITY = 3
const COUNT = SHORT ? 2 : 6
const inatividade = { ativa: true, avisoMinutos: 60, aviso: WARNING, encerrarMinutos: 60 }

let service: PushService
beforeAll(async () => {
  service = await createPushService()
  await counter.changeAtendimento({ inatividade })
  const { status } = await counter.dono().request('POST', '/push/inscricoes', service.subscription())
  expect(status).toBe(201)
})
afterAll(() => service.close())

const closing: (() => void)[] = []
beforeEach(() => fleet().heal())
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await distribute('manual')
  for (const { id } of await openConversas(counter.dono(), '?limite=200')) {
    await counter.dono().request('POST', `/atendimento/conversas/${id}/finalizar`)
  }
})

const distribute = (modo: 'automatica' | 'manual'): Promise<void> =>
  counter.changeAtendimento({ distribuicao: { modo, capacidade: CAPACITY, semRespostaMinutos: 0 } })

function windowAt({ url }: NodeProcess, user: Pick<TestUser, 'token'>): Promise<TestSocket> {
  const sockets = createSockets(url)
  closing.push(sockets.close)
  return sockets.connect(user)
}

const many = <T>(count: number, create: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, create))

interface Pair {
  readonly a: NodeProcess
  readonly b: NodeProcess
}

/** Two nodes of which `b` has the bot and looks for notices. */
async function pair(): Promise<Pair> {
  const leader = async (): Promise<NodeProcess | null> => {
    const [row] = await sql(`select n.nome from tarefas t join nos n on n.id = t.no where t.nome = 'push'`)
    return fleet().nodes.find(({ name }) => name === row?.['nome']) ?? null
  }
  const holder = (): Promise<NodeProcess | null> => fleet().holderOf(fleet().shop.contaId)
  const b = await waitUntil(leader)
  const a = fleet().nodes.find((node) => node !== b)
  if (a === undefined) throw new Error('a fleet of two has two nodes')
  if ((await waitUntil(holder)) !== b) {
    await a.terminate()
    await a.start()
  }
  await waitUntil(async () => (await holder()) === b && (await leader()) === b)
  return { a, b }
}

/** Two people at full load, one on each node. */
interface Team {
  readonly ana: TestUser
  readonly bia: TestUser
  readonly conversasOf: (user: TestUser) => Promise<string[]>
  /** Waits until the person serves so many. Records the highest load of all people. */
  readonly reaches: (user: TestUser, count: number) => Promise<unknown>
  readonly highest: () => number
}

const isPresent = async ({ usuario }: TestUser): Promise<boolean> =>
  (await sql('select 1 from presencas where usuario_id = $1 and saiu_em is null', [usuario.id])).length > 0

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

async function givenTeam({ a, b }: Pair): Promise<Team> {
  const [ana, bia] = [await counter.addOperador('Ana'), await counter.addOperador('Bia')]
  const people = [ana, bia].map(({ usuario }) => usuario.id)
  let highest = 0
  const loads = async (): Promise<Map<string, number>> => {
    const rows = await sql(
      `select operador_id, count(*)::int as n from conversas
       where status = 'em_atendimento' and operador_id = any ($1::uuid[]) group by 1`,
      [people],
    )
    const by = new Map(rows.map((row) => [String(row['operador_id']), Number(row['n'])]))
    highest = Math.max(highest, ...by.values())
    return by
  }
  const team: Team = {
    ...{ ana, bia },
    conversasOf: async ({ usuario }) => {
      const rows = await sql(`select id from conversas where status = 'em_atendimento' and operador_id = $1`, [
        usuario.id,
      ])
      return rows.map(({ id }) => String(id))
    },
    reaches: ({ usuario }, count) => waitUntil(async () => ((await loads()).get(usuario.id) ?? 0) === count),
    highest: () => highest,
  }
  await distribute('automatica')
  await whileLocked(await many(2 * CAPACITY + 2, counter.waitingCustomer), async () => {
    await windowAt(a, ana)
    await windowAt(b, bia)
    await waitUntil(async () => (await isPresent(ana)) && (await isPresent(bia)))
  })
  for (const user of [ana, bia]) await team.reaches(user, CAPACITY)
  return team
}

interface Timers {
  readonly due: () => Promise<void>
  /** Each timer fired. A timer of a bot that was not connected waits another minute, which this ends. */
  readonly untilFired: () => Promise<unknown>
  /** For each conversa how many warnings, goodbyes and scheduled messages its customer received. */
  readonly effects: () => Promise<readonly (readonly number[])[]>
}

const ONCE = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
].flatMap((effects) => Array.from({ length: COUNT }, () => effects))

/** Conversas of three kinds: the warning, the end and the scheduled message will be due. */
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
    untilFired: async () => {
      await waitUntil(async () => {
        await moveTimers()
        await pause(200)
        return (await sql(open, [idsOf(scheduled), late])).length === 0
      })
      await counter.untilSent()
    },
    effects: () => Promise.all([...silent, ...warned, ...scheduled].map(effectsOf)),
  }
}

/** How many notices each of these conversas gave. */
const noticesOf = (customers: readonly Customer[]): number[] =>
  idsOf(customers).map((id) => service.received.filter(({ conversaId }) => conversaId === id).length)
const untilSettled = (customers: readonly Customer[]): Promise<unknown> => {
  const done = 'select 1 from push_avisos where conversa_id = any ($1::uuid[]) and proxima_em is null'
  return waitUntil(async () => (await sql(done, [idsOf(customers)])).length === customers.length)
}

/** Until the leader compared the conversas with the notices again: the round that begins ends the one before. */
async function untilLooked(): Promise<void> {
  const looked = async (): Promise<string> =>
    JSON.stringify(await sql(`select comecou_em from tarefas where nome = 'push'`))
  for (let look = 0; look < 2; look += 1) {
    const before = await looked()
    await waitUntil(async () => (await looked()) !== before)
  }
}

describe('two nodes', () => {
  it.for(rounds)('give each waiting conversa one owner within the capacity, round %i', async () => {
    const both = await pair()
    const watching = await windowAt(both.a, fleet().shop)
    const { highest } = await givenTeam(both)
    const taken = (): unknown[] =>
      watching.received.flatMap(([name, data]) =>
        name === 'conversaAssumida' && data['automatica'] === true ? [data['conversaId']] : [],
      )
    await eventually(() => expect(taken()).toHaveLength(2 * CAPACITY))
    expect(new Set(taken()).size).toBe(2 * CAPACITY)
    expect(highest()).toBe(CAPACITY)
  })

  it.for(rounds)('fire each timer once, round %i', async () => {
    const timers = await givenTimers()
    await timers.due()
    await timers.untilFired()
    expect(await timers.effects()).toEqual(ONCE)
  })

  it.for(rounds)('send each farewell once and stop it after an undo, round %i', async () => {
    const { a, b } = await pair()
    const [ended, undone] = [await many(COUNT, counter.waitingCustomer), await many(COUNT, counter.waitingCustomer)]
    await counter.untilSent()
    const ids = idsOf([...ended, ...undone])
    const on = (node: NodeProcess, id: string, act: string, body: object) =>
      at(node, fleet().shop).request('POST', `/atendimento/conversas/${id}/${act}`, body)
    for (const id of ids) expect((await on(a, id, 'finalizar', { esperaSegundos: 30 })).status).toBe(200)
    for (const { id } of undone) expect((await on(b, id, 'desfazer', {})).status).toBe(200)
    await whileLocked(ended, async () => {
      await sql('update despedidas set sair_em = now() where conversa_id = any ($1::uuid[])', [ids])
    })
    await waitUntil(async () => (await sql('select 1 from despedidas')).length === 0)
    await counter.untilSent()
    const farewells = [...ended, ...undone].map((customer) => counter.countOnPhone(customer, '🙏'))
    expect(await Promise.all(farewells)).toEqual([...ended.map(() => 1), ...undone.map(() => 0)])
  })

  it.for(rounds)('send the daily summary once, round %i', async () => {
    await pair()
    const owner = await counter.waitingCustomer()
    await counter.untilSent()
    await counter.summarize(owner)
    await whileLocked([owner], counter.dueSummary)
    await waitUntil(async () => (await counter.countOnPhone(owner, SUMMARY)) > 0)
    await pause(LOOK_MS)
    await counter.untilSent()
    expect(await counter.countOnPhone(owner, SUMMARY)).toBe(1)
  })

  it.for(rounds)('send one notice for each waiting conversa, round %i', async () => {
    const waiting = await many(4, counter.waitingCustomer)
    await untilSettled(waiting)
    await untilLooked()
    expect(noticesOf(waiting)).toEqual(waiting.map(() => 1))
  })
})

describe('the death of a node', () => {
  it.for(rounds)('ends the presence of its people, and the other node does its work once, round %i', async () => {
    const { a, b } = await pair()
    const timers = await givenTimers()
    const { ana, bia, conversasOf, reaches, highest } = await givenTeam({ a, b })
    const [answered = '', ...unanswered] = await conversasOf(bia)
    const said = await at(b, bia).request('POST', `/atendimento/conversas/${answered}/mensagem`, { mensagem: 'Oi!' })
    expect(said.status).toBe(200)
    service.silent = true
    const inFlight = await many(2, counter.waitingCustomer)
    await waitUntil(() => noticesOf(inFlight).every((count) => count === 1))

    await timers.due()
    const finishing = (await conversasOf(ana)).map((id) =>
      at(a, ana).request('POST', `/atendimento/conversas/${id}/finalizar`),
    )
    await pause((fleet().random() * LOOK_MS) / 2)
    await Promise.all([...finishing, b.kill()])
    service.silent = false

    await reaches(ana, CAPACITY)
    const afterwards = await many(2, counter.waitingCustomer)
    await waitUntil(async () => !(await isPresent(bia)))
    await reaches(bia, CAPACITY)
    await sql(`update presencas set saiu_em = saiu_em - interval '2 minutes' where usuario_id = $1`, [bia.usuario.id])
    await reaches(bia, 1)
    expect(await conversasOf(bia)).toEqual([answered])
    const returned = await sql('select status from conversas where id = any ($1::uuid[])', [unanswered])
    expect(returned.map(({ status }) => status)).toEqual(['aguardando', 'aguardando'])
    expect(highest()).toBe(CAPACITY)

    await timers.untilFired()
    expect(await timers.effects()).toEqual(ONCE)

    // The dead node reserved its notices for a minute.
    await sql('update push_avisos set proxima_em = now() where proxima_em is not null')
    await untilSettled([...inFlight, ...afterwards])
    await untilLooked()
    // The dead node sent them and did not store the answer.
    expect(noticesOf(inFlight)).toEqual(inFlight.map(() => 2))
    expect(noticesOf(afterwards)).toEqual(afterwards.map(() => 1))
  })
})
