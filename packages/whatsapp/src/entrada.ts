import { setTimeout as dormir } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { Alteracao, Anfitriao, Chegada, Midia, Pessoa, Recebida } from './anfitriao.ts'
import { ausenteEm, lerAusente } from './ausentes.ts'
import type { Armazem } from './armazem.ts'
import { abrirChegada, ehAlteracao, type Eu, lerLigacao, type NumeroDoLid, toRecebida } from './mensagem.ts'
import { baixarMidia } from './midia.ts'
import type { NaoLidas } from './nao-lidas.ts'
import type { Registrar } from './registro.ts'

/** Passes journal entries to the host in order. An entry is deleted only after the host stored its message. */
export interface Entrada {
  readonly chegou: (chegada: Chegada) => void
  readonly contada: (mensagem: WAMessage) => void
  readonly recuperar: () => Promise<void>
  readonly fechar: () => void
}

export interface EntradaOptions {
  readonly host: Pick<Anfitriao, 'chaves' | 'receber' | 'alterar' | 'citada' | 'guardarMidia'>
  readonly armazem: Armazem
  readonly lidas: Pick<NaoLidas, 'chegou'>
  readonly eu: () => Eu
  readonly numeroDoLid: NumeroDoLid
  /** True while a journal entry is still open: a ringing call, or a message whose content may arrive. */
  readonly andando: (chegada: Chegada) => boolean
  readonly apareceu: (id: string) => void
  readonly falta: (id: string) => boolean
  readonly idExternoDe: (id: string) => Promise<string>
  readonly registrar: Registrar
  readonly esperaMs?: number
}

const ESPERA_MS = 2_000
/** After this many failures later messages of the same person stop waiting. */
const TENTATIVAS = 30
const LEMBRADAS = 2_000

export function createEntrada({
  host,
  armazem,
  lidas,
  eu,
  numeroDoLid,
  andando,
  apareceu,
  falta,
  idExternoDe,
  registrar,
  esperaMs = ESPERA_MS,
}: EntradaOptions): Entrada {
  const emAndamento = new Set<string>()
  const doDiario = new Set<string>()
  const pessoas = new Map<string, Promise<unknown>>()
  let fila: Promise<void> = Promise.resolve()
  let fechada = false
  let nova: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** Retries in place, so that later messages do not overtake this one. */
  const insistir = async <T>(passo: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      try {
        return await passo()
      } catch (erro) {
        if (fechada || vez >= TENTATIVAS) throw erro
        registrar(erro, 'message step failed, retrying')
        await Promise.race([dormir(esperaMs, undefined, { ref: false }), acabou])
      }
    }
  }
  const numeroDe: NumeroDoLid = (lid) =>
    insistir(() => numeroDoLid(lid)).catch((erro: unknown) => {
      depois(erro)
      throw erro
    })

  /** Messages are converted in order; the host stores messages of different people in parallel. */
  const naOrdem = (passo: () => Promise<void>): void => {
    fila = fila.then(passo).catch((erro: unknown) => registrar(erro, 'message not read'))
  }

  /** `feito` runs after the host stored the message, `fim` in any case. */
  const entregar = async (mensagem: WAMessage, feito: () => Promise<void>, fim: () => void): Promise<void> => {
    const recebida = await toRecebida(mensagem, eu(), numeroDe)
    if (fechada) return fim()
    if (recebida?.deMim === false && !ehAlteracao(recebida)) lidas.chegou(recebida.endereco, mensagem.key)
    levar(recebida, mensagem.message, feito, fim)
  }

  const levar = (
    recebida: Recebida | Alteracao | null,
    conteudo: WAMessage['message'],
    feito: () => Promise<void>,
    fim: () => void,
  ): void => {
    const entregue =
      recebida === null
        ? feito()
        : naVezDe(recebida, () => receber(conteudo, recebida)).then((tem) => (tem ? feito() : retomar()))
    // Not awaited, so messages of other people do not wait.
    void entregue.catch(depois).finally(fim)
  }

  /** Messages of one person wait for each other, whatever the address, for example while a file is downloaded. */
  const naVezDe = <T>({ endereco, telefone }: Pessoa, passo: () => Promise<T>): Promise<T> => {
    const quem = telefone === '' ? endereco : telefone
    const anterior = pessoas.get(quem)
    const feito = anterior === undefined ? passo() : anterior.then(passo, passo)
    pessoas.set(quem, feito)
    const sair = (): void => {
      if (pessoas.get(quem) === feito) pessoas.delete(quem)
    }
    feito.then(sair, sair)
    return feito
  }

  /** Returns false if the change may succeed later; the entry then stays in the journal. */
  const receber = async (message: WAMessage['message'], recebida: Recebida | Alteracao): Promise<boolean> => {
    if (!ehAlteracao(recebida)) {
      await receberMensagem(message, recebida)
      return true
    }
    const { alvo } = recebida
    const faltava = falta(alvo)
    const mudou = await insistir(async () => host.alterar({ ...recebida, alvo: await idExternoDe(alvo) }))
    return mudou || !faltava
  }

  const receberMensagem = async (message: WAMessage['message'], recebida: Recebida): Promise<void> => {
    const ausente = ausenteEm(recebida.id)
    // An earlier process stored the real message, and the server repeated it because the confirmation was lost.
    if (ausente !== null && (await insistir(() => host.citada(recebida, ausente))) !== null) return
    if (recebida.midia === undefined) return insistir(() => host.receber(recebida))
    const guardada = await guardar(message).catch((erro: unknown) => registrar(erro, 'media file not stored'))
    const midia = guardada ?? recebida.midia
    // The session closed before the message was stored. The next session reads it from the journal.
    if (fechada) throw new Error('session closed')
    await insistir(() => host.receber({ ...recebida, midia }))
  }

  const guardar = async (mensagem: WAMessage['message']): Promise<Midia | undefined> => {
    const arquivo = await baixarMidia(mensagem, armazem)
    return arquivo === null ? undefined : host.guardarMidia(arquivo.bytes, arquivo.nome)
  }

  const depois = (erro: unknown): void => {
    if (fechada) return
    registrar(erro, 'message not passed to the host, retrying')
    retomar()
  }

  const retomar = (): void => {
    if (fechada) return
    nova ??= setTimeout(() => {
      nova = undefined
      void recuperar()
    }, esperaMs)
  }

  const chegou = (chegada: Chegada): void => {
    const { id } = chegada
    if (fechada || emAndamento.has(id)) return
    emAndamento.add(id)
    const fim = (): void => void emAndamento.delete(id)
    const feito = (): Promise<void> => host.chaves.concluir(id)
    const abrir = async (): Promise<void> => {
      const avulsa = (await lerLigacao(chegada, numeroDe)) ?? (await lerAusente(chegada, eu(), numeroDe))
      if (avulsa !== null) return fechada ? fim() : levar(avulsa, null, feito, fim)
      const mensagem = abrirChegada(chegada, eu())
      lembrar(mensagem.key.id ?? '')
      apareceu(mensagem.key.id ?? '')
      await entregar(mensagem, feito, fim)
    }
    naOrdem(() =>
      abrir().catch((erro: unknown) => {
        fim()
        throw erro
      }),
    )
  }

  const lembrar = (id: string): void => {
    doDiario.add(id)
    if (doDiario.size > LEMBRADAS) doDiario.delete(doDiario.keys().next().value ?? '')
  }

  const recuperar = async (): Promise<void> => {
    try {
      for (const chegada of await host.chaves.chegadas()) {
        if (!emAndamento.has(chegada.id) && !andando(chegada)) chegou(chegada)
      }
    } catch (erro) {
      depois(erro)
    }
  }

  return {
    chegou,
    contada: (mensagem) => {
      // A stub could not be decrypted; the library has already requested the message again.
      if (fechada || !mensagem.message) return
      // Runs after queued journal entries, because only then `doDiario` is complete.
      naOrdem(async () => {
        const { id } = mensagem.key
        // Until the host has stored the message, only its entry as missing is in the journal.
        const feito = async (): Promise<void> => apareceu(id ?? '')
        if (doDiario.has(id ?? '')) return feito()
        await entregar(mensagem, feito, () => {})
      })
    },
    recuperar,
    fechar: () => {
      fechada = true
      clearTimeout(nova)
      acabar()
    },
  }
}
