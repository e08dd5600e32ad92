import * as z from 'zod/mini'
import type { ConectorTipo } from '@balcao/contract/constants'
import { mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { createCelular, createCliente, createServidor } from '@balcao/whatsapp/rede-falsa'
import type { HouseOptions } from '#house.ts'
import type { Casa } from '#test/bot/casa.ts'

/** The other side of a connector: a phone to pair with, and customers. What the conformance tests need of every service. */
export interface Rede {
  readonly conector: ConectorTipo
  readonly opcoes: Partial<HouseOptions>
  /** Scans the code that the panel shows. */
  readonly escanear: (casa: Casa) => Promise<void>
  readonly cliente: (nome: string) => ClienteDaRede
  /** The owner removes the device on the phone. */
  readonly remover: (casa: Casa) => Promise<void>
  /** The service refuses the next sends. */
  readonly recusar: (casa: Casa, envios: number) => Promise<void>
  /** Cuts the line, where there is one to cut. */
  readonly cortar?: () => void
  readonly fechar: () => Promise<void>
}

export interface ClienteDaRede {
  /** The same `id` twice is one message that the service repeats. */
  readonly diz: (casa: Casa, texto: string, id?: string) => Promise<void>
  /** What this customer reads, in order. */
  readonly lidas: (casa: Casa) => Promise<string[]>
}

const chatSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })

export async function createRedeSimulada(): Promise<Rede> {
  let clientes = 0
  return {
    conector: 'simulador',
    opcoes: {},
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
