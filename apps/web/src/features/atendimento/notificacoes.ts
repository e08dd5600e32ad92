import { AVISO } from '@balcao/contract/constants'
import type { EventoServidor } from '@balcao/contract/realtime'
import { avisar } from '#shared/avisos.ts'

/** What tells a person that somebody wrote: a notice here, a sound and the system's own notification when nobody is looking. */

const DESLIGADAS = 'notificacoes-desligadas'
const SOM_A_CADA_MS = 3_000

export function notificacoesLigadas(): boolean {
  return localStorage.getItem(DESLIGADAS) === null
}

/** Asked of the browser only when a person turns them on. */
export function ligarNotificacoes(ligadas: boolean): void {
  if (!ligadas) {
    localStorage.setItem(DESLIGADAS, 'sim')
    return
  }
  localStorage.removeItem(DESLIGADAS)
  if ('Notification' in window && Notification.permission === 'default') {
    void Notification.requestPermission().catch(() => undefined)
  }
}

let ultimoSom = Number.NEGATIVE_INFINITY

/** Two soft notes, made here: nothing to download. */
function tocar(): void {
  if (performance.now() - ultimoSom < SOM_A_CADA_MS) return
  ultimoSom = performance.now()
  try {
    const audio = new AudioContext()
    const volume = audio.createGain()
    volume.gain.setValueAtTime(0.08, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.45)
    volume.connect(audio.destination)
    for (const [indice, frequencia] of [660, 880].entries()) {
      const nota = audio.createOscillator()
      nota.frequency.value = frequencia
      nota.connect(volume)
      nota.start(audio.currentTime + indice * 0.14)
      nota.stop(audio.currentTime + 0.45)
    }
    setTimeout(() => void audio.close(), 1_000)
  } catch {
    // A browser without sound still shows the notice.
  }
}

function fora(titulo: string, texto: string): void {
  if (document.visibilityState === 'visible' || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  try {
    const aviso = new Notification(titulo, { body: texto, tag: 'atendimento', icon: '/icon.svg' })
    aviso.addEventListener('click', () => {
      window.focus()
      aviso.close()
    })
  } catch {
    // Some phones only allow them from a service worker.
  }
}

/** One event, while the conversation `abertaId` is on screen: that one needs no telling to who is looking at it. */
export function notificar(
  { evento, dados }: EventoServidor,
  abertaId: string | undefined,
  abrir: (id: string) => void,
): void {
  if (!notificacoesLigadas()) return
  const abrirAcao = (id: string) => ({ acao: { rotulo: 'Abrir', fazer: () => abrir(id) } })
  if (evento === 'novaConversaHumana') {
    const { id, cliente } = dados.conversa
    avisar.info(`Nova conversa: ${cliente.nome}`, { duracaoMs: AVISO.novaConversaMs, ...abrirAcao(id) })
    tocar()
    fora('Nova conversa', cliente.nome)
    return
  }
  if (evento !== 'mensagemConversaHumana' || dados.mensagem.tipo !== 'recebida') return
  if (dados.conversaId === abertaId && document.visibilityState === 'visible') return
  const { remetente, texto } = dados.mensagem
  const curto = texto.length > 80 ? `${texto.slice(0, 79)}…` : texto
  const frase = curto === '' ? `Nova mensagem de ${remetente}` : `${remetente}: ${curto}`
  avisar.info(frase, { duracaoMs: AVISO.novaMensagemMs, ...abrirAcao(dados.conversaId) })
  tocar()
  fora(remetente, curto)
}
