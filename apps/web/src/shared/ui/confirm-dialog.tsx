import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly title: string
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly onConfirm: () => void | Promise<void>
  readonly onClose: () => void
}

/** Confirms an action that cannot be undone. Focus starts on the cancel button. Content is mounted only while open. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Voltar',
  onConfirm,
  onClose: onFechar,
}: ConfirmDialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [ocupado, setOcupado] = useState(false)
  useEffect(() => {
    const dialogo = ref.current
    if (dialogo === null) return
    if (open && !dialogo.open) dialogo.showModal()
    if (!open && dialogo.open) dialogo.close()
  }, [open])
  const run = async (): Promise<void> => {
    setOcupado(true)
    try {
      await onConfirm()
    } finally {
      setOcupado(false)
      onFechar()
    }
  }
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-labelledby={`${id}-t`}
      aria-describedby={`${id}-d`}
      onClose={onFechar}
      className="w-[calc(100vw-1.5rem)] max-w-md rounded-2xl bg-surface p-5 shadow-pop backdrop:bg-black/45"
    >
      {open && (
        <>
          <h2 id={`${id}-t`} className="text-lg font-bold">
            {title}
          </h2>
          <div id={`${id}-d`} className="mt-2 text-muted">
            {children}
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Button autoFocus onClick={onFechar}>
              {cancelLabel}
            </Button>
            <Button variant="danger" busy={ocupado} onClick={() => void run()}>
              {confirmLabel}
            </Button>
          </div>
        </>
      )}
    </dialog>
  )
}
