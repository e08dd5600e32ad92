import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ate, type BotHouse, conectar, createBotHouse, createCliente, textosDe } from './house.ts'
import { createDemora } from './demora.ts'

/** The database stumbles, or answers late: what was begun goes on. */

const NUNCA = 3_600_000
let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

/** For as long as `durante` runs, nothing of this table can be read or written. */
async function semTabela(tabela: string, durante: () => Promise<unknown>): Promise<void> {
  await house.database.owner.query(`alter table ${tabela} rename to ${tabela}_fora`)
  try {
    await durante()
  } finally {
    await house.database.owner.query(`alter table ${tabela}_fora rename to ${tabela}`)
  }
}

const pausa = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a database that fails for a moment', () => {
  it.each(['logs', 'saida'])('while the phone connects (%s) does not leave a bot that says nothing', async (tabela) => {
    const no = await house.no(`conecta-sem-${tabela}`, { tempos: { renovarMs: NUNCA, procurarMs: NUNCA } })
    const contaId = await house.conta()
    await no.runtime.bots.iniciar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'AGUARDANDO_QR')
    let escaneado: Promise<unknown> = Promise.resolve()
    await semTabela(tabela, async () => {
      escaneado = no.runtime.simulador.escanear(contaId)
      await Promise.race([escaneado, pausa(300)]).catch(() => undefined)
    })
    await escaneado
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    await ate(() => textosDe(house, ana.telefone).length === 2)
    // And what the phone says next is still heard.
    await no.runtime.simulador.desconectar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'PARADO')
    await no.stop()
  })

  it('while a bot starts leaves it to be started again', async () => {
    let faltam = 1
    const no = await house.no('comeca-mal', {
      tempos: { renovarMs: 50, procurarMs: 50 },
      connector: (base) => ({
        ...base,
        start: () => (faltam-- > 0 ? Promise.reject(new Error('the database is away')) : base.start()),
      }),
    })
    const contaId = await house.conta()
    await conectar(no, contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    await no.stop()
  })
})

describe('an answer that comes late', () => {
  it('about an old lease does not close the session that was started since', async () => {
    const demora = createDemora('update bots b set lease_expira', 'antes')
    const no = await house.no('renova-tarde', { tempos: { renovarMs: 50, procurarMs: NUNCA }, db: demora.db })
    const contaId = await house.conta()
    await conectar(no, contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    await demora.segurar()
    await no.runtime.bots.parar(contaId)
    await no.runtime.bots.iniciar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    await demora.soltar()
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    await ate(() => textosDe(house, ana.telefone).length === 2)
    await no.stop()
  })

  it('of a link that closes slowly does not keep the others from being obeyed', async () => {
    const { promise: fechada, resolve: fechar } = Promise.withResolvers<void>()
    const lentas: string[] = []
    const surdo = { publish: () => undefined, subscribe: () => () => undefined }
    const no = await house.no('fecha-devagar', {
      bus: surdo,
      tempos: { renovarMs: 50, procurarMs: NUNCA },
      connector: (base, contaId) => ({ ...base, stop: () => (lentas.includes(contaId) ? fechada : base.stop()) }),
    })
    const outro = await house.no('fecha-devagar-2', { bus: surdo, tempos: { renovarMs: NUNCA, procurarMs: NUNCA } })
    const [lenta, outra] = [await house.conta(), await house.conta()]
    lentas.push(lenta)
    for (const contaId of [lenta, outra]) {
      await conectar(no, contaId)
      await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    }
    const presa = async (contaId: string): Promise<boolean> =>
      (await house.database.owner.query('select from bots where conta_id = $1 and no is not null', [contaId]))
        .rowCount === 1
    await outro.runtime.bots.parar(lenta)
    await pausa(300)
    await outro.runtime.bots.parar(outra)
    await ate(async () => !(await presa(outra)))
    expect(await presa(lenta)).toBe(true)
    fechar()
    await ate(async () => !(await presa(lenta)))
    await no.stop()
    await outro.stop()
  })
})
