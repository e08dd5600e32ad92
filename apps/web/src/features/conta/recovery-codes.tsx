import { Copy, Download, Printer } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { downloadText } from '#shared/download.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'

const TITLE = 'Códigos de recuperação do Balcão'

function printCodes(codes: readonly string[]): void {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const sheet = frame.contentDocument
  if (sheet === null) return
  sheet.title = TITLE
  const heading = sheet.createElement('h1')
  heading.textContent = TITLE
  const list = sheet.createElement('pre')
  list.textContent = codes.join('\n')
  sheet.body.append(heading, list)
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}

async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify.sucesso(done)
  } catch {
    notify.erro('Não foi possível copiar. Selecione o texto e copie.')
  }
}

export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  return (
    <Button size="touch" onClick={() => void copyText(text, done)}>
      <Copy size={16} aria-hidden /> {label}
    </Button>
  )
}

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="grid gap-4">
      <Notice tone="espera" title="Guarde estes códigos agora">
        Cada um entra uma vez, se você perder o celular. Eles não aparecem de novo.
      </Notice>
      <ul
        aria-label="Códigos de recuperação"
        className="grid gap-x-6 gap-y-1 rounded-card bg-sunken p-4 font-mono min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copiar" done="Códigos copiados." />
        <Button
          size="touch"
          onClick={() => downloadText('codigos-de-recuperacao.txt', 'text/plain', `${TITLE}\n\n${codes.join('\n')}\n`)}
        >
          <Download size={16} aria-hidden /> Baixar
        </Button>
        <Button size="touch" onClick={() => printCodes(codes)}>
          <Printer size={16} aria-hidden /> Imprimir
        </Button>
      </div>
    </div>
  )
}

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[] | null
  readonly onClose: () => void
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog open={codes !== null} title="Códigos de recuperação" hold onClose={onClose}>
      <div className="grid gap-4">
        <RecoveryCodes codes={codes ?? []} />
        <Button variant="primary" size="touch" onClick={onClose}>
          Guardei os códigos
        </Button>
      </div>
    </Dialog>
  )
}
