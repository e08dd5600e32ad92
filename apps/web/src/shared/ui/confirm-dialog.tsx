import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'

export interface ConfirmAlternative {
  readonly label: string
  readonly onConfirm: () => Promise<void>
}

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly title: string
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel?: string
  /** Other ways to do it, before the main one. */
  readonly alternatives?: readonly ConfirmAlternative[]
  /** False: the main button cannot be pressed yet. */
  readonly ready?: boolean
  /** True: nothing is lost, so the main button has no warning colour. */
  readonly harmless?: boolean
  readonly onConfirm: () => void | Promise<void>
  readonly onClose: () => void
}

function useModal(open: boolean) {
  const ref = useRef<HTMLDialogElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const dialogo = ref.current
    if (dialogo === null) return
    if (open && !dialogo.open) {
      dialogo.showModal()
      // The browser would focus the first field or link of the content.
      cancel.current?.focus()
    }
    if (!open && dialogo.open) dialogo.close()
  }, [open])
  return { ref, cancel }
}

/** Confirms an action that cannot be undone. Focus starts on the cancel button. Content is mounted only while open. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Voltar',
  alternatives = [],
  ready = true,
  harmless = false,
  onConfirm,
  onClose: onFechar,
}: ConfirmDialogProps) {
  const { ref, cancel } = useModal(open)
  const id = useId()
  const [ocupado, setOcupado] = useState(false)
  const run = async (confirm: ConfirmDialogProps['onConfirm']): Promise<void> => {
    setOcupado(true)
    try {
      await confirm()
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
            <Button ref={cancel} onClick={onFechar}>
              {cancelLabel}
            </Button>
            <ConfirmButtons
              {...{ confirmLabel, alternatives, ready, harmless, onConfirm, busy: ocupado }}
              onRun={(confirm) => void run(confirm)}
            />
          </div>
        </>
      )}
    </dialog>
  )
}

interface ConfirmButtonsProps extends Required<
  Pick<ConfirmDialogProps, 'confirmLabel' | 'alternatives' | 'ready' | 'harmless' | 'onConfirm'>
> {
  readonly busy: boolean
  readonly onRun: (confirm: ConfirmDialogProps['onConfirm']) => void
}

function ConfirmButtons({ alternatives, busy, ready, harmless, onRun, ...dialog }: ConfirmButtonsProps) {
  return (
    <>
      {alternatives.map(({ label, onConfirm }) => (
        <Button key={label} disabled={busy} onClick={() => onRun(onConfirm)}>
          {label}
        </Button>
      ))}
      <Button
        variant={harmless ? 'primary' : 'danger'}
        busy={busy}
        disabled={!ready}
        onClick={() => onRun(dialog.onConfirm)}
      >
        {dialog.confirmLabel}
      </Button>
    </>
  )
}
