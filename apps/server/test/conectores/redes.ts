import * as z from 'zod/mini'
import type { ConectorTipo } from '@balcao/contract/constants'
import { mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { createCelular, createCliente, createServidor } from '@balcao/whatsapp/rede-falsa'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import type { HouseOptions } from '#house.ts'
import type { Casa } from '#test/bot/casa.ts'
import { contarStatus, createClienteDaMeta, type Loja, preencher } from '#test/oficial/loja.ts'
import { Pagina } from '#test/navegador/pagina-falsa.ts'
import { createMetaFalsa } from '#test/oficial/meta-falsa.ts'

/** The remote side of a connector, as the conformance tests need it: a phone to pair with and customers. */
export interface Rede {
  readonly conector: ConectorTipo
  readonly opcoes: Partial<HouseOptions>
  readonly semVinculo: StatusBot
  readonly escanear: (casa: Casa) => Promise<void>
  readonly cliente: (nome: string) => ClienteDaRede
  /** Removes the link on the remote side; `removida` is the bot's status afterwards. */
  readonly remover: (casa: Casa) => Promise<void>
  readonly removida: { readonly status: StatusBot; readonly motivo: MotivoBot }
  readonly recusar: (casa: Casa, envios: number) => Promise<void>
  /** Cuts the connection; absent for connectors without one. */
  readonly cortar?: () => void
  readonly fechar: () => Promise<void>
}

export interface ClienteDaRede {
  /** Calling twice with the same `id` simulates a repeated delivery. */
  readonly diz: (casa: Casa, texto: string, id?: string) => Promise<void>
  readonly lidas: (casa: Casa) => Promise<string[]>
  /** Reports a delivery state; absent when the service has no receipts. */
  readonly avanca?: (casa: Casa, texto: string, ate: Passo) => Promise<void>
}

export type Passo = 'saiu' | 'entregue' | 'lida'

const PELO_CELULAR = {
  semVinculo: 'AGUARDANDO_QR',
  removida: { status: 'PARADO', motivo: 'desconectadoNoCelular' },
} as const

const chatSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })

export async function createRedeSimulada(): Promise<Rede> {
  let clientes = 0
  return {
    conector: 'simulador',
    opcoes: {},
    ...PELO_CELULAR,
    escanear: async (casa) => void (await casa.pedir('POST', '/simulador/escanear')),
    cliente: (nome) => {
      clientes += 1
      const telefone = `1191000${String(clientes).padStart(4, '0')}`
      return {
        diz: async (casa, texto, id) => {
          const corpo = { telefone, nome, texto, ...(id === undefined ? {} : { id }) }
          await casa.pedir('POST', '/simulador/mensagens', corpo)
        },
        lidas: async (casa) => {
          const { body } = await casa.pedir('GET', `/simulador/mensagens?telefone=${telefone}`)
          return chatSchema.parse(body).mensagens.flatMap(({ de, texto }) => (de === 'bot' ? [texto] : []))
        },
      }
    },
    remover: async (casa) => void (await casa.pedir('POST', '/simulador/desconectar')),
    recusar: async (casa, envios) => void (await casa.pedir('POST', '/simulador/falhas', { envios })),
    fechar: () => Promise.resolve(),
  }
}

export async function createRedeWhatsapp(): Promise<Rede> {
  const servidor = await createServidor()
  const celular = createCelular(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
  let clientes = 0
  return {
    conector: 'whatsapp',
    opcoes: { whatsappUrl: servidor.url },
    ...PELO_CELULAR,
    escanear: async (casa) => {
      const { qrCode } = (await casa.pedir('GET', '/bot/status')).body
      await celular.escanear(String(qrCode))
    },
    cliente: (nome) => {
      clientes += 1
      const numero = `551191000${String(clientes).padStart(4, '0')}`
      const cliente = createCliente(servidor, { numero, lid: `20000000${clientes}`, nome })
      return {
        diz: async (_casa, texto, id) => void (await cliente.diz(celular, texto, id === undefined ? {} : { id })),
        lidas: async () => cliente.recebidas.map(({ texto }) => texto),
        // The fake network reports the other states automatically.
        avanca: async (_casa, texto, passo) => {
          const dela = cliente.recebidas.find((recebida) => recebida.texto === texto)
          if (passo === 'lida') cliente.leu(celular, dela?.id ?? '')
        },
      }
    },
    remover: async () => {
      for (const aparelho of celular.aparelhos.values()) if (!aparelho.revogado) servidor.remover(aparelho)
    },
    recusar: async (_casa, envios) => {
      let faltam = envios
      servidor.falhas.recusar = () => (faltam-- > 0 ? '500' : undefined)
    },
    cortar: () => {
      for (const { conexao } of celular.aparelhos.values()) conexao?.cortar()
    },
    fechar: servidor.fechar,
  }
}

/** The check of `chromePath` is real; the browser is faked. */
export const CHROME = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'

export async function createRedeNavegador(): Promise<Rede> {
  const pagina = new Pagina()
  let clientes = 0
  return {
    conector: 'navegador',
    opcoes: {
      navegador: { permitidos: [CHROME], carregar: async () => pagina.biblioteca, esperas: () => 20, livre: true },
    },
    ...PELO_CELULAR,
    escanear: async () => pagina.escanear(),
    cliente: (nome) => {
      clientes += 1
      const de = `551191000${String(clientes).padStart(4, '0')}@c.us`
      return {
        diz: async (_casa, texto, id) => void pagina.diz({ de, nome, texto, ...(id === undefined ? {} : { id }) }),
        lidas: async () => pagina.mensagens.flatMap(({ id, body }) => (id.fromMe && id.remote === de ? [body] : [])),
        avanca: async (_casa, texto, passo) => {
          const dela = pagina.mensagens.find(({ id, body }) => id.remote === de && body === texto)
          pagina.cliente.emit('message_ack', dela, PASSOS_DA_PAGINA.indexOf(passo) + 1)
        },
      }
    },
    remover: async () => pagina.remover(),
    recusar: async (_casa, envios) => void pagina.falhas.enviar.push(...Array<'recusar'>(envios).fill('recusar')),
    cortar: () => pagina.cliente.morrer(),
    fechar: () => Promise.resolve(),
  }
}

const PASSOS_DA_PAGINA: readonly Passo[] = ['saiu', 'entregue', 'lida']
const PASSOS_DA_META = { saiu: 'sent', entregue: 'delivered', lida: 'read' } as const

/** There is no phone to pair with: the owner enters a token, which Meta accepts or rejects. */
export async function createRedeOficial(): Promise<Rede> {
  const meta = await createMetaFalsa()
  let loja: Loja | undefined
  let clientes = 0
  const daLoja = (): Loja => {
    if (loja === undefined) throw new Error('no Meta number saved')
    return loja
  }
  return {
    conector: 'oficial',
    opcoes: { oficialUrl: meta.url, temposOficial: { confirmacaoMs: 50, esperas: () => 50 } },
    semVinculo: 'erro_auth',
    escanear: async (casa) => {
      meta.token = `EAAG-token-novo-${clientes}`
      loja = await preencher(casa, meta)
      await casa.pedir('POST', '/bot/iniciar')
    },
    cliente: (nome) => {
      clientes += 1
      const numero = `551191000${String(clientes).padStart(4, '0')}`
      let atual: Casa | undefined
      const emCasa = (): Casa => {
        if (atual === undefined) throw new Error('no server to deliver to')
        return atual
      }
      const cliente = createClienteDaMeta({ casa: emCasa, loja: daLoja, meta, nome, numero })
      return {
        diz: async (casa, texto, id) => {
          atual = casa
          await cliente.diz(texto, id)
        },
        lidas: async () => cliente.recebidas().map(({ text }) => text?.body ?? ''),
        avanca: async (casa, texto, passo) => {
          const dela = cliente.recebidas().find(({ text }) => text?.body === texto)
          if (dela === undefined) throw new Error('no message sent')
          await contarStatus({ casa: () => casa, loja: daLoja, meta }, dela, PASSOS_DA_META[passo])
        },
      }
    },
    remover: async (casa) => {
      meta.token = null
      // The rejected token is noticed with the next answer.
      await createClienteDaMeta({ casa: () => casa, loja: daLoja, meta, nome: 'Zeca', numero: '5511910009999' }).diz(
        'oi',
      )
    },
    removida: { status: 'erro_auth', motivo: 'credenciaisInvalidas' },
    recusar: async (_casa, envios) =>
      meta.tropecar(...Array.from({ length: envios }, () => ({ status: 500, codigo: 131000 }))),
    cortar: () => meta.tropecar('desliga'),
    fechar: meta.close,
  }
}
