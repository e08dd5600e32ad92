import { Copy } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { IconButton } from './icon-button.tsx'

/** `done`: the notice after the copy. Browsers refuse it without a permission or on an unsafe page. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify.sucesso(done)
  } catch {
    notify.erro('O navegador não deixou copiar. Selecione o texto e copie.')
  }
}

interface CopyIconButtonProps {
  readonly text: string
  readonly label: string
  readonly done: string
}

export function CopyIconButton({ text, label, done }: CopyIconButtonProps) {
  return <IconButton label={label} icon={<Copy size={16} aria-hidden />} onClick={() => void copyText(text, done)} />
}
