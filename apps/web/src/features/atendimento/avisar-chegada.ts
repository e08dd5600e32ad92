import { AVISO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { EventoServidor } from '@balcao/contract/realtime'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { NOME_DA_MIDIA } from './nome-da-midia.ts'
import { lerPreferencias } from './preferencias.ts'
import { tocar } from './som.ts'
import { souQuemAvisa } from './uma-so-janela.ts'

export interface QuemOuve {
  readonly cliente: QueryClient
  readonly usuario: Usuario
  readonly abertaId: string | undefined
  readonly abrir: (id: string) => void
}

interface Aviso {
  /** Identical in all browser tabs: it is the lock name. */
  readonly chave: string
  readonly conversaId: string
  readonly titulo: string
  readonly texto: string
  readonly frase: string
  readonly duracaoMs: number
}

function resumir(texto: string): string {
  return texto.length > 80 ? `${texto.slice(0, 79)}…` : texto
}

function avisoDe({ evento, dados }: EventoServidor): Aviso | null {
  if (evento === 'novaConversaHumana') {
    const { id, cliente } = dados.conversa
    return {
      chave: `nova:${id}`,
      conversaId: id,
      titulo: 'Nova conversa',
      texto: cliente.nome,
      frase: `Nova conversa: ${cliente.nome}`,
      duracaoMs: AVISO.novaConversaMs,
    }
  }
  if (evento !== 'mensagemConversaHumana' || dados.mensagem.tipo !== 'recebida' || dados.marcada === true) return null
  const { id, remetente, texto, midia } = dados.mensagem
  const curto = texto === '' && midia !== undefined ? NOME_DA_MIDIA[midia.tipo] : resumir(texto)
  return {
    chave: `mensagem:${id}`,
    conversaId: dados.conversaId,
    titulo: remetente,
    texto: curto,
    frase: curto === '' ? `Nova mensagem de ${remetente}` : `${remetente}: ${curto}`,
    duracaoMs: AVISO.novaMensagemMs,
  }
}

/** Reads the cached list, else asks the server: the panel may show another tab without a list. */
async function conversaDe(cliente: QueryClient, id: string): Promise<Conversa | null> {
  const lista = cliente.getQueryData<{ conversas: readonly Conversa[] }>(CHAVES.conversas)
  const conhecida = lista?.conversas.find((uma) => uma.id === id)
  if (conhecida !== undefined) return conhecida
  try {
    return (await call(conversaHumanaRoute, { params: { id } })).conversa
  } catch {
    return null
  }
}

/**
 * Level `aguardando`: waiting conversas of my setores. Level `tudo`: also mine, those without an operador, and
 * unknown ones.
 */
export function interessa(conversa: Conversa | null, { id, setores }: Usuario, nivel: 'tudo' | 'aguardando'): boolean {
  if (conversa === null) return nivel === 'tudo'
  const meu = setores === undefined || setores.length === 0 || setores.includes(conversa.setor)
  if (conversa.status === 'aguardando') return meu
  return nivel === 'tudo' && (conversa.operadorId === undefined || conversa.operadorId === id)
}

function notificarFora({ titulo, texto, conversaId }: Aviso, abrir: (id: string) => void): void {
  if (document.visibilityState === 'visible' || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  try {
    const aviso = new Notification(titulo, { body: texto, tag: `conversa:${conversaId}`, icon: '/icon.svg' })
    aviso.addEventListener('click', () => {
      window.focus()
      abrir(conversaId)
      aviso.close()
    })
  } catch {
    // Android browsers allow notifications only from a service worker.
  }
}

const olhando = (conversaId: string, abertaId: string | undefined): boolean =>
  conversaId === abertaId && document.visibilityState === 'visible'

/** Shows the notice for one event, with sound and system notification, in exactly one browser tab. */
export async function avisarChegada(recebido: EventoServidor, quem: QuemOuve): Promise<void> {
  const { nivel, som, volume } = lerPreferencias()
  const aviso = avisoDe(recebido)
  if (aviso === null || nivel === 'nada') return
  const { conversaId, frase, duracaoMs, chave } = aviso
  const vendo = olhando(conversaId, quem.abertaId)
  // A tab that shows the conversa also claims the notice, so the other tabs stay silent.
  if (!(await souQuemAvisa(chave)) || vendo || olhando(conversaId, quem.abertaId)) return
  const conversa =
    recebido.evento === 'novaConversaHumana' ? recebido.dados.conversa : await conversaDe(quem.cliente, conversaId)
  if (!interessa(conversa, quem.usuario, nivel)) return
  avisar.info(frase, { duracaoMs, acao: { rotulo: 'Abrir', fazer: () => quem.abrir(conversaId) } })
  if (som) tocar(volume)
  notificarFora(aviso, quem.abrir)
}
