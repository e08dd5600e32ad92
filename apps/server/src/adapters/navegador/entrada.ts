import { createGuardarMidia } from '#adapters/guardar-midia.ts'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Alteracao, InboundMessage, SessionHost } from '#ports/messaging.ts'
import { lerCitada, lerConteudo } from './conteudo.ts'
import { deWeb, ehPessoa, type Pessoa, type QuemE } from './enderecos.ts'
import { falhaDeAbertura } from './falhas.ts'
import {
  arquivoSchema,
  type Chave,
  type ComArquivo,
  idDaChave,
  mensagemSchema,
  type MensagemWeb,
  temArquivo,
} from './formas.ts'
import type { Nossas } from './nossas.ts'
import { comPrazo } from './prazo.ts'

/**
 * Delivers messages of the page to the bot: each once, in order per person, with retries until the bot has stored
 * it.
 */
export interface Entrada {
  /** `antiga`: found in the page after a reconnect, not received live. */
  readonly chegou: (bruta: unknown, quem: QuemE, opcoes?: { readonly antiga: boolean }) => void
  readonly mudou: (mudada: Mudada, quem: QuemE) => void
  /** Everything up to this second was received; null before the first message. */
  readonly marco: () => number | null
  readonly fechar: () => void
}

export interface Mudada extends Pick<Alteracao, 'deMim' | 'mudanca'> {
  readonly chave: Chave
  readonly de: string
}

export interface EntradaOptions {
  readonly host: Pick<SessionHost, 'receber' | 'alterar' | 'guardarMidia'>
  readonly nossas: Nossas
  readonly registrar: (erro: unknown, oQue: string) => void
  readonly buscar: (idWeb: string) => Promise<unknown>
  readonly esperaMs?: number
}

const ESPERA_MS = 2_000
const BAIXAR_MS = 60_000
/** Attempts over a browser restart; after the last one the message is stored without its file. */
const BAIXAR_VEZES = 30
const MAXIMO_BYTES = 5 * 1024 * 1024
const LEMBRADAS = 5_000

export function createEntrada(opcoes: EntradaOptions): Entrada {
  const { host, nossas, registrar, buscar, esperaMs = ESPERA_MS } = opcoes
  const guardarMidia = createGuardarMidia(host, registrar)
  const pessoas = new Map<string, Promise<void>>()
  const vistas = new Set<string>()
  const pendentes = new Map<string, number>()
  let maior: number | null = null
  let fechada = false
  const { promise: fim, resolve: acabar } = Promise.withResolvers<void>()

  /** Serialises messages per person, because a file takes time and later messages of the same person must wait. */
  const naVezDe = (endereco: string, passo: () => Promise<void>): Promise<void> => {
    const feito = (pessoas.get(endereco) ?? Promise.resolve()).then(passo)
    pessoas.set(endereco, feito)
    void feito.finally(() => {
      if (pessoas.get(endereco) === feito) pessoas.delete(endereco)
    })
    return feito
  }

  /** Never rejects. Retries until the step succeeds or the session closes. */
  const insistir = async (passo: () => Promise<void>): Promise<boolean> => {
    while (estaAberta()) {
      try {
        await passo()
        return true
      } catch (erro) {
        registrar(erro, 'message not delivered, retrying')
        await esperar()
      }
    }
    return false
  }
  const estaAberta = (): boolean => !fechada
  const esperar = (): Promise<unknown> => Promise.race([new Promise((resolve) => setTimeout(resolve, esperaMs)), fim])

  const ver = (idWeb: string): boolean => {
    if (vistas.has(idWeb)) return false
    vistas.add(idWeb)
    if (vistas.size > LEMBRADAS) vistas.delete(vistas.keys().next().value ?? '')
    return true
  }

  const ler = async (bruta: unknown, mensagem: MensagemWeb, quem: QuemE): Promise<InboundMessage | null> => {
    const conteudo = lerConteudo(mensagem)
    if (conteudo === null) return null
    const pessoa = await quem(pessoaDe(mensagem))
    const midia = conteudo.midia === undefined ? undefined : await guardar(bruta, mensagem, conteudo.midia)
    const deMim = mensagem.id.fromMe
    return {
      ...pessoa,
      id: idDaChave(mensagem.id),
      nome: deMim ? '' : (mensagem._data?.notifyName ?? ''),
      texto: conteudo.texto,
      ...(midia === undefined ? {} : { midia }),
      ...citadaDe(mensagem, pessoa),
      deMim,
      enviadaEm: new Date(mensagem.timestamp * 1_000),
    }
  }

  const baixar = async (primeira: ComArquivo, idWeb: string): Promise<unknown> => {
    let bruta = primeira
    for (let vez = 1; ; vez += 1) {
      try {
        return await comPrazo(bruta.downloadMedia(), BAIXAR_MS)
      } catch (erro) {
        if (vez >= BAIXAR_VEZES || !estaAberta() || falhaDeAbertura(erro).motivo !== 'navegadorCaiu') throw erro
        await esperar()
        const outra = await buscar(idWeb).catch(() => null)
        if (temArquivo(outra)) bruta = outra
      }
    }
  }

  const guardar = async (bruta: unknown, { hasMedia, id }: MensagemWeb, midia: Midia): Promise<Midia> => {
    if (!hasMedia || !temArquivo(bruta) || (midia.tamanhoBytes ?? 0) > MAXIMO_BYTES) return midia
    try {
      const { data, filename } = arquivoSchema.parse(await baixar(bruta, idDaChave(id)))
      const bytes = Buffer.from(data, 'base64')
      if (bytes.length > MAXIMO_BYTES) return midia
      return await guardarMidia(bytes, filename ?? '')
    } catch (erro) {
      registrar(erro, 'media not stored')
      return midia
    }
  }

  const receber = async (bruta: unknown, mensagem: MensagemWeb, quem: QuemE, antiga: boolean): Promise<void> => {
    if (mensagem.id.fromMe) {
      await nossas.conhecidas()
      if ((await nossas.idExternoDe(mensagem)) !== null) return
      // Old browser message without a match in ours. It does not prove that the owner serves this customer now.
      if (antiga && mensagem.id.id.startsWith('3EB0')) return
    }
    const recebida = await ler(bruta, mensagem, quem)
    if (recebida !== null && estaAberta()) await host.receber(recebida)
  }

  return {
    chegou: (bruta, quem, { antiga } = { antiga: false }) => {
      const { data: mensagem } = mensagemSchema.safeParse(bruta)
      if (fechada || mensagem === undefined || mensagem.isStatus || mensagem.broadcast) return
      const idWeb = idDaChave(mensagem.id)
      if (!ehPessoa(pessoaDe(mensagem)) || mensagem.from === mensagem.to || !ver(idWeb)) return
      pendentes.set(idWeb, mensagem.timestamp)
      void naVezDe(pessoaDe(mensagem), async () => {
        if (!(await insistir(() => receber(bruta, mensagem, quem, antiga)))) return
        pendentes.delete(idWeb)
        maior = Math.max(maior ?? 0, mensagem.timestamp)
      })
    },
    mudou: ({ chave, de, deMim, mudanca }, quem) => {
      if (fechada || !ehPessoa(de)) return
      void naVezDe(de, async () => {
        await insistir(async () => {
          const alvo = await alvoDe(chave, { nossas, buscar })
          await host.alterar({ ...(await quem(de)), alvo, deMim, mudanca })
        })
      })
    },
    marco: () => (pendentes.size > 0 ? Math.min(...pendentes.values()) - 1 : maior),
    fechar: () => {
      fechada = true
      acabar()
    },
  }
}

export function pessoaDe({ id, from, to }: Pick<MensagemWeb, 'id' | 'from' | 'to'>): string {
  return id.fromMe ? to : from
}

function citadaDe(mensagem: MensagemWeb, { endereco, outrosEnderecos }: Pessoa): Pick<InboundMessage, 'citada'> {
  const citada = lerCitada(mensagem)
  if (citada === null) return {}
  return { citada: { texto: citada.texto, nossa: ![endereco, ...outrosEnderecos].includes(deWeb(citada.de)) } }
}

async function alvoDe(chave: Chave, { nossas, buscar }: Pick<EntradaOptions, 'nossas' | 'buscar'>): Promise<string> {
  const idWeb = idDaChave(chave)
  if (!chave.fromMe) return idWeb
  const { data: mensagem } = mensagemSchema.safeParse(await buscar(idWeb))
  return (mensagem === undefined ? null : await nossas.idExternoDe(mensagem)) ?? idWeb
}
