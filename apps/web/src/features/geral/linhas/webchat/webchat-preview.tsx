import { MessageCircle, SendHorizontal, X } from 'lucide-react'
import { textColorOn } from '#shared/ui/contrast.ts'
import { useUsuario } from '#shared/session.tsx'
import { isHexColor } from './color-field.tsx'
import type { WebchatFields } from './use-webchat.ts'

const FALLBACK_COLOR = '#1f7a4d'

interface WebchatPreviewProps {
  readonly nome: string
  readonly values: WebchatFields
}

/** The chat as a visitor sees it, with the edits that are not saved yet. Only for the eyes: nothing in it works. */
export function WebchatPreview({ nome, values }: WebchatPreviewProps) {
  const { empresa } = useUsuario()
  const background = isHexColor(values.cor) ? values.cor : FALLBACK_COLOR
  const style = { background, color: textColorOn(background) }
  const shop = empresa.trim() === '' ? nome : empresa
  return (
    <figure className="lg:sticky lg:top-5">
      <figcaption className="mb-2 text-sm font-bold">Como o visitante vê</figcaption>
      <div aria-hidden className="wall grid gap-3 rounded-card p-4">
        <div className="overflow-hidden rounded-2xl border border-line bg-surface shadow-pop">
          <div className="flex items-center gap-3 px-4 py-3" style={style}>
            <span className="min-w-0 flex-1 leading-tight">
              <span className="block truncate font-bold">{shop}</span>
              <span className="block text-xs">Aberto agora</span>
            </span>
            <X className="size-5 flex-none" />
          </div>
          <div className="grid gap-3 p-4">
            {values.saudacao.trim() !== '' && (
              <p className="w-fit max-w-[85%] rounded-xl bg-sunken px-3 py-2 text-sm [overflow-wrap:anywhere]">
                {values.saudacao}
              </p>
            )}
            <p className="ml-auto w-fit rounded-xl px-3 py-2 text-sm" style={style}>
              Oi! Vocês entregam hoje?
            </p>
            {values.pedirNome && (
              <p className="text-sm font-semibold">
                Seu nome
                <span className="mt-1 block min-h-9 rounded-[10px] border border-line-strong" />
              </p>
            )}
            <span className="flex items-center gap-2">
              <span className="min-h-9 flex-1 rounded-[10px] border border-line-strong px-3 py-1.5 text-sm text-muted">
                Escreva sua mensagem
              </span>
              <span className="grid size-9 flex-none place-items-center rounded-full" style={style}>
                <SendHorizontal className="size-4" />
              </span>
            </span>
          </div>
        </div>
        <span className="ml-auto grid size-12 place-items-center rounded-full shadow-pop" style={style}>
          <MessageCircle className="size-6" />
        </span>
      </div>
    </figure>
  )
}
