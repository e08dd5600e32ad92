import { pino } from 'pino'
import { createNavegador, type NavegadorOptions } from '#adapters/navegador/navegador.ts'
import type { Alteracao, EstadoConexao, InboundMessage, OutboundMessage, SessionHost } from '#ports/messaging.ts'
import type { Pagina } from './pagina-falsa.ts'

export interface Hospede {
  readonly host: SessionHost
  readonly estados: EstadoConexao[]
  readonly recebidas: InboundMessage[]
  readonly alteracoes: Alteracao[]
  readonly recibos: string[]
  readonly chamadas: (readonly [string, string])[]
  readonly credenciais: () => unknown
  receber: (mensagem: InboundMessage) => Promise<void>
  /** Runs before the credentials are saved; throwing simulates a failing store. */
  antesDeSalvar: () => void
  antesDoEstado: () => Promise<void>
}

export const CONTA = '01930000-0000-7000-8000-0000000000aa'
export const CHROME = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'

export interface HospedeOptions {
  readonly credenciais?: unknown
  readonly chromePath?: string
  readonly contaId?: string
  readonly escritas?: readonly OutboundMessage[]
}

export function createHospede({
  contaId = CONTA,
  credenciais = null,
  chromePath = CHROME,
  escritas = [],
}: HospedeOptions = {}): Hospede {
  let guardadas = credenciais
  const hospede: Hospede = {
    estados: [],
    recebidas: [],
    alteracoes: [],
    recibos: [],
    chamadas: [],
    credenciais: () => guardadas,
    receber: async (mensagem) => void hospede.recebidas.push(mensagem),
    antesDeSalvar: () => undefined,
    antesDoEstado: async () => undefined,
    host: {
      contaId,
      clientId: 'loja',
      chromePath,
      credenciais,
      salvarCredenciais: async (novas) => {
        hospede.antesDeSalvar()
        guardadas = novas
      },
      chaves: {
        ler: async () => new Map(),
        gravar: async () => undefined,
        apagar: async () => undefined,
        chegadas: async () => [],
        concluir: async () => undefined,
      },
      guardarMidia: async (bytes, nomeArquivo) => ({ tipo: 'imagem', url: `/api/midias/${bytes.length}`, nomeArquivo }),
      lerMidia: async (url) => (url === '/foto' ? { bytes: Buffer.from('foto'), mimeType: 'image/png' } : null),
      telefoneDe: async () => '',
      citada: async () => null,
      chamada: (idExterno, idDoServico) => void hospede.chamadas.push([idExterno, idDoServico]),
      enviadas: async (de, ate) => escritas.filter(({ idExterno }) => idExterno >= de && idExterno <= ate),
      estado: async (estado) => {
        await hospede.antesDoEstado()
        hospede.estados.push(estado)
      },
      receber: (mensagem) => hospede.receber(mensagem),
      alterar: async (alteracao) => hospede.alteracoes.push(alteracao) > 0,
      recibo: (idExterno, recibo) => void hospede.recibos.push(`${recibo} ${idExterno}`),
      naoEntregue: async (idExterno) => void hospede.recibos.push(`falhou ${idExterno}`),
      reacaoNaoEntregue: async () => undefined,
      digitando: () => undefined,
    },
  }
  return hospede
}

export function createConectores(
  pagina: Pagina,
  opcoes: Omit<NavegadorOptions, 'log'>,
): ReturnType<typeof createNavegador> {
  return createNavegador({
    log: pino({ level: 'silent' }),
    permitidos: [CHROME],
    carregar: async () => pagina.biblioteca,
    esperas: () => 1,
    livre: true,
    ...opcoes,
  })
}
