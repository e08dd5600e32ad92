import { type ReactNode, useState } from 'react'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FileChoice } from './file-choice.tsx'
import { Notice } from './notice.tsx'
import { Spinner } from './spinner.tsx'

type Step<Result> =
  | { readonly tipo: 'escolher'; readonly erro: string | null }
  | { readonly tipo: 'lendo' }
  | {
      readonly tipo: 'previa' | 'gravando' | 'pronto'
      readonly file: File
      readonly result: Result
      readonly erro: string | null
    }

interface FileImportDialogProps<Result> {
  readonly title: string
  readonly intro: string
  readonly accept: string
  readonly reading: string
  /** Starts the error of a refused import: `Os contatos não foram importados`. */
  readonly failure: string
  /** With `simulate` the server compares and writes nothing. */
  readonly send: (file: File, simulate: boolean) => Promise<Result>
  /** Returns whether the dialog stays open to show the result. */
  readonly onDone: (result: Result) => boolean
  readonly onClose: () => void
  readonly children: (result: Result, done: boolean) => ReactNode
  /** Label of the confirming button. Null when the file changes nothing. */
  readonly confirmLabel: (result: Result, saving: boolean) => string | null
}

const noop = (): void => undefined

/** Chooses a file, shows what the server would change, and writes after a confirmation. */
export function FileImportDialog<Result>(props: FileImportDialogProps<Result>) {
  const { title, intro, accept, reading, failure, send, onDone, onClose, children, confirmLabel } = props
  const [step, setStep] = useState<Step<Result>>({ tipo: 'escolher', erro: null })
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setStep({ tipo: 'lendo' })
    try {
      setStep({ tipo: 'previa', file, result: await send(file, true), erro: null })
    } catch (error) {
      setStep({ tipo: 'escolher', erro: errorMessage(error) })
    }
  }
  const confirm = async (file: File, previewed: Result): Promise<void> => {
    setStep({ tipo: 'gravando', file, result: previewed, erro: null })
    try {
      const result = await send(file, false)
      if (onDone(result)) setStep({ tipo: 'pronto', file, result, erro: null })
      else onClose()
    } catch (error) {
      setStep({ tipo: 'previa', file, result: previewed, erro: `${failure}: ${errorMessage(error)}` })
    }
  }
  const saving = step.tipo === 'gravando'
  return (
    // The dialog stays open while it saves: it shows the result.
    <Dialog open width="lg" title={title} onClose={saving ? noop : onClose} hold={saving}>
      {step.tipo === 'escolher' && (
        <FileChoice erro={step.erro} intro={intro} accept={accept} onChoose={(file) => void choose(file)} />
      )}
      {step.tipo === 'lendo' && (
        <p role="status" className="flex items-center gap-2 py-6">
          <Spinner /> {reading}
        </p>
      )}
      {'result' in step && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="break-words text-muted">{step.file.name}</p>
          {children(step.result, step.tipo === 'pronto')}
          {step.erro !== null && <Notice tone="erro" title={step.erro} />}
          <ImportActions
            label={step.tipo === 'pronto' ? null : confirmLabel(step.result, saving)}
            saving={saving}
            onBack={() => setStep({ tipo: 'escolher', erro: null })}
            onConfirm={() => void confirm(step.file, step.result)}
            onClose={onClose}
          />
        </div>
      )}
    </Dialog>
  )
}

interface ImportActionsProps {
  readonly label: string | null
  readonly saving: boolean
  readonly onBack: () => void
  readonly onConfirm: () => void
  readonly onClose: () => void
}

function ImportActions({ label, saving, onBack, onConfirm, onClose }: ImportActionsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button size="touch" disabled={saving} onClick={onBack}>
        Escolher outro arquivo
      </Button>
      {label === null ? (
        <Button variant="primary" size="touch" onClick={onClose}>
          Fechar
        </Button>
      ) : (
        <Button variant="primary" size="touch" busy={saving} onClick={onConfirm}>
          {label}
        </Button>
      )}
    </div>
  )
}
