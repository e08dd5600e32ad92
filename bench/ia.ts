import type { Config } from '@balcao/contract/entities/config'
import { createGemini } from '@balcao/server/src/adapters/gemini/gemini.ts'
import { CHAVE_BOA, createGeminiFalso, type GeminiFalso } from '@balcao/server/test/ia/gemini-falso.ts'
import {
  type Cliente,
  conversar,
  createClientes,
  createTelefones,
  type Entrar,
  entrarPeloRuntime,
  type Fala,
  ROTEIRO,
  type Telefones,
} from './messages/customers.ts'
import { configDoBanco, type House, openHouse } from './messages/house.ts'
import { percentil } from './messages/meters.ts'
import { atMost, figure, type Section, shown } from './report.ts'

const PERGUNTAS = 200
const PRESOS = 40
const DO_MENU = 200

function configComIa(): Config {
  const config = configDoBanco()
  const comportamentos = { ...config.ia.comportamentos, sempreResponder: true }
  return {
    ...config,
    gemini: { apiKey: CHAVE_BOA },
    ia: { ...config.ia, ativa: true, esperaSegundos: 0, comportamentos },
  }
}

const [SAUDACAO] = ROTEIRO
const PERGUNTA = 'vocês fazem bolo de fubá?'
const FALA_COM_IA: readonly Fala[] = [{ texto: PERGUNTA, respostas: () => [`ECO ${PERGUNTA}`] }]

async function saudar(house: House, telefones: Telefones, entrar: Entrar, cliente: Cliente): Promise<void> {
  await conversar(house, telefones, entrar, cliente, SAUDACAO === undefined ? [] : [SAUDACAO])
}

/** Asks one question at a time to a provider that answers immediately, so the measured time is the product's own. */
async function custo(house: House, telefones: Telefones): Promise<number[]> {
  const contaId = await house.conta({ config: configComIa() })
  const entrar = entrarPeloRuntime(house)
  const tempos: number[] = []
  for (const cliente of createClientes(contaId, PERGUNTAS)) {
    await saudar(house, telefones, entrar, cliente)
    tempos.push(...(await conversar(house, telefones, entrar, cliente, FALA_COM_IA)))
  }
  // The first requests load the library.
  return tempos.slice(20)
}

async function doProvedor(gemini: GeminiFalso): Promise<number[]> {
  const tempos: number[] = []
  const corpo = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: PERGUNTA }] }] })
  for (let vez = 0; vez < PERGUNTAS; vez += 1) {
    const inicio = performance.now()
    const resposta = await fetch(`${gemini.url}/v1beta/models/gemini-2.5-flash:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': CHAVE_BOA },
      body: corpo,
    })
    await resposta.json()
    tempos.push(performance.now() - inicio)
  }
  return tempos.slice(20)
}

/** Menu replies to customers, one by one, while the provider holds the questions of others. */
async function menuEnquanto(house: House, telefones: Telefones, contaId: string): Promise<number[]> {
  const entrar = entrarPeloRuntime(house)
  const tempos: number[] = []
  for (const cliente of createClientes(contaId, DO_MENU)) {
    tempos.push(...(await conversar(house, telefones, entrar, cliente, ROTEIRO.slice(0, 2))))
  }
  return tempos
}

async function prender(house: House, telefones: Telefones, gemini: GeminiFalso, contaId: string): Promise<void> {
  const entrar = entrarPeloRuntime(house)
  gemini.sempre(() => ({ tipo: 'nunca' }))
  for (const cliente of createClientes(contaId, PRESOS)) {
    await saudar(house, telefones, entrar, cliente)
    await entrar(cliente, house.ids.uuid(), PERGUNTA)
  }
}

export async function measureIa(): Promise<Section[]> {
  const gemini = await createGeminiFalso()
  const ai = createGemini({ baseUrl: gemini.url, log: { warn: () => {} }, timeoutMs: 60_000 })
  const house = await openHouse({ ai })
  const telefones = createTelefones()
  house.ouvir(telefones.receber)
  try {
    const tempos = await custo(house, telefones)
    const provedor = percentil(await doProvedor(gemini), 50)
    const contaId = await house.conta({ config: configComIa() })
    await menuEnquanto(house, telefones, contaId)
    const sem = await menuEnquanto(house, telefones, contaId)
    await prender(house, telefones, gemini, contaId)
    const com = await menuEnquanto(house, telefones, contaId)
    if (telefones.erros().length > 0) throw new Error(telefones.erros().slice(0, 5).join('\n'))
    return [
      {
        titulo: 'Assistant',
        linhas: [
          shown('question to answer, a provider that answers at once, p50', figure(percentil(tempos, 50), 'ms')),
          shown("of it the provider's stand-in, p50", figure(provedor, 'ms')),
          atMost('ours, p50', percentil(tempos, 50) - provedor, 15, 'ms'),
          shown('question to answer, a provider that answers at once, p95', figure(percentil(tempos, 95), 'ms')),
          shown('menu reply, nobody asks the assistant, p95', figure(percentil(sem, 95), 'ms')),
          shown(`menu reply, ${PRESOS} questions held for 60 s, p95`, figure(percentil(com, 95), 'ms')),
          atMost('menu reply with them over without, p95', percentil(com, 95) / percentil(sem, 95), 1.5, '×'),
        ],
      },
    ]
  } finally {
    await house.close()
    await gemini.close()
  }
}
