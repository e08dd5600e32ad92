import clsx from 'clsx'
import { FlaskConical } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }))

export function TestModeBand({ className }: { className: string }) {
  const { bot } = useBotStatus()
  const { usuario } = useLoginSession()
  const [open, setOpen] = useState(false)
  const mayConnect = usuario?.tipo === 'admin' || usuario?.componentesPermitidos.configuracaoGeral === true
  return (
    <>
      {bot.modoTeste && (
        <div
          role="status"
          className={clsx(
            'flex flex-none items-center gap-2 bg-warn-soft px-3 py-1 text-warn-ink sm:gap-3 sm:px-6',
            className,
          )}
        >
          <FlaskConical aria-hidden className="size-4 flex-none" />
          <p className="min-w-0 flex-1 text-xs font-semibold sm:text-sm">
            Modo de teste: nenhum cliente real recebe mensagens
          </p>
          {mayConnect && (
            <Button size="sm" className="flex-none text-ink" onClick={() => setOpen(true)}>
              Conectar o WhatsApp
            </Button>
          )}
        </div>
      )}
      <Suspense>{open && <ConnectDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
