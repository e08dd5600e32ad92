import { FileUp } from 'lucide-react'
import { useFileDrop } from '#shared/hooks/use-file-drop.ts'
import { Notice } from './notice.tsx'

interface FileChoiceProps {
  readonly erro: string | null
  readonly intro: string
  readonly accept: string
  readonly onChoose: (file: File | undefined) => void
}

/** Takes a file by button or by dropping. Nothing is written before its preview. */
export function FileChoice({ erro, intro, accept, onChoose }: FileChoiceProps) {
  const { sobre, soltar } = useFileDrop(([file]) => onChoose(file))
  return (
    <div className="grid gap-4" {...soltar}>
      {erro !== null && <Notice tone="erro" title={erro} />}
      <p className="text-muted">{intro}</p>
      <label
        className={`grid cursor-pointer place-items-center gap-2 rounded-card border-2 border-dashed p-8 text-center focus-within:outline-2 hover:bg-sunken ${sobre ? 'border-brand bg-brand-soft' : ''}`}
      >
        <FileUp size={24} aria-hidden className="text-muted" />
        <span className="font-semibold">Escolher arquivo</span>
        <input
          type="file"
          accept={accept}
          className="sr-only"
          onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0])}
        />
      </label>
      <p className="text-sm text-muted">Antes de gravar, você vê o que vai mudar.</p>
    </div>
  )
}
