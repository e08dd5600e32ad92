import { useLayoutEffect, useState } from 'react'
import { hasPasskeys } from '#shared/identity/has-passkeys.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { removeFrame } from '#shared/ui/frame.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { EnrolPasskey, EnrolTotp } from './enrol.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Step = 'escolher' | 'totp' | 'passkey'

/** All that a person reaches who lacks a demanded second factor. */
export function EnrolmentScreen() {
  const { usuario, logout, enrolled } = useLoginSession()
  const [step, setStep] = useState<Step>('escolher')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  useTitle('Verificação em duas etapas')
  useLayoutEffect(removeFrame, [])
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between px-5 py-3 sm:px-8">
        <Logo />
        <ThemeToggle />
      </header>
      <main className="mx-auto w-full max-w-lg px-5 py-6">
        <h1 className="text-2xl font-extrabold">
          {usuario?.tipo === 'admin' ? 'O Balcão' : 'Sua loja'} exige a verificação em duas etapas
        </h1>
        <p className="mt-2 mb-6 text-muted">
          Além da senha, o painel confere um aparelho seu. Leva dois minutos, e só precisa ser feito uma vez.
        </p>
        {codes !== null ? (
          <div className="grid gap-5">
            <RecoveryCodes codes={codes} />
            <Button variant="primary" size="touch" onClick={enrolled}>
              Guardei os códigos, continuar
            </Button>
          </div>
        ) : (
          <div className="grid gap-3">
            {step === 'totp' && <EnrolTotp onDone={setCodes} />}
            {step === 'passkey' && (
              <EnrolPasskey
                onDone={(fresh) => (fresh === undefined ? enrolled() : setCodes(fresh))}
                onCancel={() => setStep('escolher')}
              />
            )}
            {step !== 'totp' && (
              <Button variant={step === 'escolher' ? 'primary' : 'outline'} size="lg" onClick={() => setStep('totp')}>
                Usar um aplicativo de códigos
              </Button>
            )}
            {step !== 'passkey' && hasPasskeys() && (
              <Button size="lg" onClick={() => setStep('passkey')}>
                Usar uma chave de acesso
              </Button>
            )}
            <Button variant="ghost" size="touch" onClick={logout}>
              Sair
            </Button>
          </div>
        )}
      </main>
    </div>
  )
}
