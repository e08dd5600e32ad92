import type { Transcricao } from '@balcao/contract/entities/mensagem'
import { CustomerText } from '#shared/preview/customer-text.tsx'

/** The words of a voice note, below its player. */
export function VoiceTranscript({ transcricao: { texto, estado } }: { transcricao: Transcricao }) {
  if (estado === 'pendente') return <p className="text-sm text-muted italic">Transcrevendo o áudio…</p>
  if (estado === 'falhou') return <p className="text-sm text-muted italic">Não foi possível transcrever este áudio.</p>
  return (
    <div className="mt-1 border-l-2 border-line-strong pl-2">
      <span className="sr-only">Transcrição do áudio: </span>
      <CustomerText text={texto} format={String} className="break-words whitespace-pre-wrap" />
    </div>
  )
}
