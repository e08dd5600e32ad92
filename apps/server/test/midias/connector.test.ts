import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { sendMensagem } from '#modules/atendimento/index.ts'
import { type TestRuntime, connectBot, createTestRuntime, createCustomer, addOperador } from '#test/bot/test-runtime.ts'
import { waitUntil } from '#test/app.ts'
import { firstLine } from '#db/statement/line.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

const OPERADOR = { usuarioId: '01900000-0000-7000-8000-000000000001', nome: 'Rui', setores: [], linhas: [] }
const midiaDe = (letter: string): Midia => ({ tipo: 'imagem', url: `/api/midias/${letter.repeat(32)}.png` })

it('passes midia to the connector, immediately and after a stop', async () => {
  const contaId = await runtime.givenConta()
  await addOperador(runtime, contaId, { id: OPERADOR.usuarioId, nome: OPERADOR.nome })
  const no = await runtime.startNode('um')
  await connectBot(no, contaId)
  const cliente = createCustomer(no, contaId)
  await cliente.says('oi')
  await cliente.says('atendente')
  const { rows } = await runtime.database.owner.query<{ id: string }>('select id from conversas where conta_id = $1', [
    contaId,
  ])
  const [{ id: conversaId } = { id: '' }] = rows
  const send = (texto: string, midia: Midia): Promise<unknown> =>
    runtime.database.db.transaction(contaId, (tx) =>
      sendMensagem(
        tx,
        { ...no.deps, bots: no.runtime.bots, sendEventIn: no.runtime.sendEventIn },
        { contaId, conversaId, texto, midia, operador: OPERADOR },
      ),
    )
  const received = (text: string) => waitUntil(() => runtime.delivered.find((uma) => uma.texto === text) ?? null)
  await send('agora', midiaDe('a'))
  expect(await received('agora')).toMatchObject({ endereco: cliente.phone, midia: midiaDe('a') })

  await no.runtime.bots.stop(firstLine(contaId))
  await send('depois', midiaDe('b'))
  await no.runtime.bots.start(firstLine(contaId))
  expect(await received('depois')).toMatchObject({ midia: midiaDe('b') })
})
