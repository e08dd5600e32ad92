import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { quotedLine } from './mensagem-bubble.tsx'

export function ReplyingTo({ mensagem }: { mensagem: Mensagem }) {
  const { remetente, tipo } = mensagem
  return (
    <p role="status" className="min-w-0 flex-1 py-1.5 text-sm">
      <span className="block truncate font-semibold text-brand-ink">
        Respondendo a {tipo === 'recebida' ? remetente : 'uma mensagem nossa'}
      </span>
      <span className="block truncate text-muted">{quotedLine(mensagem)}</span>
    </p>
  )
}

export function QuotedMensagem({ mensagem, onRemove }: { mensagem: Mensagem; onRemove: () => void }) {
  const frame = useRef<HTMLDivElement>(null)
  const { id } = mensagem
  const focusField = (): void => {
    frame.current?.parentElement?.querySelector<HTMLElement>('[data-compositor]')?.focus()
  }
  useEffect(focusField, [id])
  return (
    <div ref={frame} className="mb-2 flex items-center gap-2 rounded-lg border-l-4 border-brand bg-sunken pl-3">
      <ReplyingTo mensagem={mensagem} />
      <IconButton
        label="Não responder a esta mensagem"
        tooltip={false}
        size="touch"
        icon={<X size={18} aria-hidden />}
        onClick={() => {
          focusField()
          onRemove()
        }}
      />
    </div>
  )
}
