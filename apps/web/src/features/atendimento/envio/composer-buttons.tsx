import { Paperclip, Store } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'

/** Filters the file picker only. The server detects the real type from the bytes. */
const ACCEPTED_UPLOADS =
  'image/png,image/jpeg,image/webp,application/pdf,audio/*,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.txt,.csv'

const ProdutoDialog = lazy(async () => ({
  default: (await import('#features/atendimento/mensagem/produto-dialog.tsx')).ProdutoDialog,
}))

interface ProdutoButtonProps {
  readonly conversaId: string
  readonly disabled: boolean
  readonly typing: boolean
}

/** On a phone the field needs the room while the person types. */
export function ProdutoButton({ conversaId, disabled, typing }: ProdutoButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label="Enviar produto"
        size="touch"
        className={typing ? 'max-sm:hidden' : ''}
        disabled={disabled}
        icon={<Store size={20} aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <Suspense>{open && <ProdutoDialog conversaId={conversaId} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

interface AttachButtonProps {
  readonly disabled: boolean
  readonly onAttach: (files: readonly File[]) => void
}

export function AttachButton({ disabled, onAttach }: AttachButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label="Anexar arquivo"
        size="touch"
        disabled={disabled}
        icon={<Paperclip size={20} aria-hidden />}
        onClick={() => field.current?.click()}
      />
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_UPLOADS}
        aria-label="Escolher arquivos"
        onChange={({ currentTarget }) => {
          onAttach([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
