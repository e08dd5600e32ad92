import { Link } from '@tanstack/react-router'
import { ArrowLeft, Lock } from 'lucide-react'
import { useEffect } from 'react'
import { useConfig } from '#shared/dados/config.ts'
import { useSincronia } from '#shared/dados/sincronia.ts'
import { useSessao } from '#shared/session.tsx'
import { TEXTOS } from '#shared/textos.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { CelularDaEmpresa } from './celular-da-empresa.tsx'
import { CelularDoCliente } from './celular-do-cliente.tsx'

/** `/simulador`: plays the business's phone and any customer's, against the real bot of this account (decisions §4). */
export function SimuladorScreen() {
  const { usuario } = useSessao()
  useEffect(() => {
    document.title = 'Simulador · Balcão'
  }, [])
  if (usuario === null) return <PageSpinner />
  const permitido = usuario.tipo === 'admin' || usuario.componentesPermitidos.configuracaoGeral
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-bg px-3 sm:px-6">
        <Link to="/dashboard" search={{ aba: 'geral' }} className="btn btn-ghost -ml-2">
          <ArrowLeft size={18} aria-hidden />
          <span className="max-sm:sr-only">Voltar ao painel</span>
        </Link>
        <h1 className="mr-auto text-lg font-bold">Simulador</h1>
        <span className="max-sm:hidden">
          <Logo />
        </span>
        <ThemeToggle />
      </header>
      <main id="conteudo" tabIndex={-1} className="mx-auto max-w-6xl p-3 outline-none sm:p-6">
        {permitido ? (
          <Simulador />
        ) : (
          <EmptyState titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />}>
            {TEXTOS.semPermissao}
          </EmptyState>
        )}
      </main>
    </div>
  )
}

function Simulador() {
  useSincronia()
  const { config, origem } = useConfig()
  const outroConector = origem === 'servidor' && config.whatsapp.conector !== 'simulador'
  return (
    <>
      {outroConector && (
        <p role="status" className="mb-4 rounded-xl bg-warn-soft p-3 text-sm font-semibold text-warn-ink">
          Sua conta usa outro conector. Para usar esta página, escolha “Simulador” na aba Geral e inicie o bot.
        </p>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="grid gap-5">
          <CelularDaEmpresa />
          <p className="px-1 text-sm text-muted max-lg:hidden">
            Esta página faz o papel do celular: o seu, que escaneia o código, e o de qualquer cliente que escreve. As
            respostas vêm do bot de verdade, com a configuração salva, e contam no limite do dia.
          </p>
        </div>
        <CelularDoCliente />
      </div>
    </>
  )
}
