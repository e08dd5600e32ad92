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

/** What tells a person that somebody wrote: a notice here, a sound, and the system's own notification when nobody is looking. */

export interface QuemOuve {
  readonly cliente: QueryClient
  readonly usuario: Usuario
  /** On screen now; a conversation being looked at needs no telling. */
  readonly abertaId: string | undefined
  readonly abrir: (id: string) => void
}

interface Aviso {
  /** The same in every tab of the browser. */
  readonly chave: string
  readonly conversaId: string
  readonly titulo: string
  readonly texto: string
  /** In the panel's own words. */
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

/** As the list knows it; when no list was read (another tab of the panel is open), the server is asked. */
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

/** Whom it concerns: who waits, and what the person serves; what another one serves is that one's. Unknown is told. */
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
    // Some phones only allow them from a service worker.
  }
}

const olhando = (conversaId: string, abertaId: string | undefined): boolean =>
  conversaId === abertaId && document.visibilityState === 'visible'

/** One event of the account. */
export async function avisarChegada(recebido: EventoServidor, quem: QuemOuve): Promise<void> {
  const { nivel, som, volume } = lerPreferencias()
  const aviso = avisoDe(recebido)
  if (aviso === null || nivel === 'nada') return
  const { conversaId, frase, duracaoMs, chave } = aviso
  const vendo = olhando(conversaId, quem.abertaId)
  // Whoever is looking at it takes the notice too: the other tabs stay quiet.
  if (!(await souQuemAvisa(chave)) || vendo || olhando(conversaId, quem.abertaId)) return
  const conversa =
    recebido.evento === 'novaConversaHumana' ? recebido.dados.conversa : await conversaDe(quem.cliente, conversaId)
  if (!interessa(conversa, quem.usuario, nivel)) return
  avisar.info(frase, { duracaoMs, acao: { rotulo: 'Abrir', fazer: () => quem.abrir(conversaId) } })
  if (som) tocar(volume)
  notificarFora(aviso, quem.abrir)
}
