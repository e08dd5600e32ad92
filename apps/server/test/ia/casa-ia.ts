import { mkdtemp, rm } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { createGemini } from '#adapters/gemini/gemini.ts'
import { autenticar, type Casa, createCasa, type Pedir } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import { CHAVE_BOA, createGeminiFalso, type GeminiFalso } from './gemini-falso.ts'

export interface CasaIa {
  readonly casa: Casa
  readonly falso: GeminiFalso
  readonly pedir: Pedir
  /** Saves the configuracao with the AI on and a valid key, changed by `mudar`. */
  readonly configurar: (mudar?: (config: Config) => Config) => Promise<void>
  readonly cliente: (nome?: string) => Cliente
  readonly outraConta: () => Promise<Pedir>
  readonly close: () => Promise<void>
}

export interface Cliente {
  readonly telefone: string
  readonly diz: (texto: string) => Promise<void>
  readonly mostra: (imagem: File, texto?: string) => Promise<void>
  readonly ouviu: () => Promise<string[]>
  /** Texts of the bot, once the last one matches. */
  readonly ouve: (ultima: string | RegExp) => Promise<string[]>
}

export async function createCasaIa(): Promise<CasaIa> {
  const falso = await createGeminiFalso()
  const ai = createGemini({ baseUrl: falso.url, log: { warn: () => undefined }, recuoMs: 1 })
  const arquivosDir = await mkdtemp('/tmp/balcao-ia-')
  const casa = await createCasa({ ai, arquivosDir })
  const { pedir } = casa
  let telefones = 0
  let contas = 0

  const configurar: CasaIa['configurar'] = async (mudar = (config) => config) => {
    const { config } = configRoute.response.parse((await pedir('GET', '/config')).body)
    const { status, body } = await pedir('PUT', '/config', mudar(paraTeste(config)))
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  const cliente: CasaIa['cliente'] = (nome = 'Ana') => {
    telefones += 1
    const telefone = `551198${String(1_000_000 + telefones)}`
    const ouviu = async (): Promise<string[]> => {
      const { body } = await pedir('GET', `/simulador/mensagens?telefone=${telefone}`)
      const { mensagens } = mensagensSimuladasRoute.response.parse(body)
      return mensagens.filter(({ de }) => de === 'bot').map(({ texto }) => texto)
    }
    return {
      telefone,
      ouviu,
      diz: async (texto) => {
        const { status } = await pedir('POST', '/simulador/mensagens', { telefone, nome, texto })
        if (status !== 202) throw new Error(`message not accepted: ${status}`)
      },
      mostra: async (imagem, texto = '') => {
        const form = new FormData()
        for (const [campo, valor] of Object.entries({ telefone, nome, texto })) form.set(campo, valor)
        form.set('imagem', imagem)
        const { status, body } = await pedir('POST', '/simulador/mensagens', form)
        if (status !== 202) throw new Error(`message not accepted: ${status} ${JSON.stringify(body)}`)
      },
      ouve: (ultima) =>
        ate(async () => {
          const tudo = await ouviu()
          const dita = tudo.at(-1) ?? ''
          return (typeof ultima === 'string' ? dita === ultima : ultima.test(dita)) ? tudo : null
        }),
    }
  }

  await configurar()
  await pedir('POST', '/bot/iniciar')
  await ate(async () => (await pedir('POST', '/simulador/escanear')).status === 200)
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
  return {
    casa,
    falso,
    pedir,
    configurar,
    cliente,
    outraConta: async () => {
      contas += 1
      const acesso = { email: `outra${contas}@loja.test`, senha: 'senha-da-outra' }
      await pedir('POST', '/admin/usuarios', { ...acesso, nome: 'Outra', telefone: '', empresa: 'Outra loja' })
      return (await autenticar(casa.url, acesso)).pedir
    },
    close: async () => {
      await casa.close()
      await falso.close()
      await rm(arquivosDir, { recursive: true, force: true })
    },
  }
}

function paraTeste(config: Config): Config {
  const { ia, menu } = config
  return {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: CHAVE_BOA },
    ia: {
      ...ia,
      ativa: true,
      apiKey: CHAVE_BOA,
      esperaSegundos: 0,
      promptTreinamento: 'Vendemos canecas.',
      respostasPredefinidas: { ...ia.respostasPredefinidas, naoEntendi: 'NAO ENTENDI', transferirHumano: 'JA CHAMO' },
    },
    menu: {
      ...menu,
      menuPrincipal: 'MENU\n1 - Horários\n2 - IA',
      opcoes: [
        { numero: '1', titulo: 'Horários', tipo: 'mensagem', resposta: 'HORARIOS' },
        { numero: '2', titulo: 'Tirar uma dúvida', tipo: 'ia', resposta: 'PODE PERGUNTAR' },
      ],
      mensagens: { ...menu.mensagens, boasVindas: 'OLA' },
      digitando: false,
    },
  }
}

const mensagensSchema = z.object({
  mensagens: z.array(z.looseObject({ id: z.string(), origem: z.string(), conteudo: z.string() })),
})

export async function idDaMensagem(pedir: Pedir, conteudo: string): Promise<string> {
  const { body } = await pedir('GET', '/mensagens?limite=200')
  const achada = mensagensSchema.parse(body).mensagens.find((mensagem) => mensagem.conteudo === conteudo)
  if (achada === undefined) throw new Error(`no mensagem with the text ${conteudo}`)
  return achada.id
}
