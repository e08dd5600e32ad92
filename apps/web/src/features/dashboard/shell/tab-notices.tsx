import type { Aba } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useUsuario } from '#shared/session.tsx'
import { TAB_DESCRIPTION } from './tab-list.ts'
import { ManutencaoBanner } from '#shared/ui/manutencao-banner.tsx'

export function RestrictedAccess({ permitted }: { permitted: Aba | null }) {
  const { tipo } = useUsuario()
  return (
    <section className="card mx-auto mt-8 max-w-md p-8 text-center">
      <span className="mx-auto grid size-12 place-items-center rounded-full bg-sunken text-muted">
        <Lock aria-hidden className="size-6" />
      </span>
      <h2 className="mt-4 text-lg font-bold">Acesso Restrito</h2>
      <p className="mt-2 text-muted">Você não tem permissão para acessar este componente.</p>
      <p className="mt-2 text-sm text-muted">
        {tipo === 'operador'
          ? 'Quem atende usa só o Atendimento. Fale com quem cuida da conta se precisar de mais.'
          : 'Peça ao administrador para liberar esta aba na sua conta.'}
      </p>
      {permitted !== null && (
        <Link to="/dashboard" search={{ aba: permitted }} className="btn btn-outline mt-5 min-h-11">
          Ir para {TAB_DESCRIPTION[permitted].title}
        </Link>
      )}
    </section>
  )
}

export function ManutencaoNotice() {
  return (
    <div className="mb-4 in-[main:has([data-tela-cheia])]:m-2">
      <ManutencaoBanner
        acao={
          <Link to="/dashboard" search={{ aba: 'logs' }} className="font-semibold underline">
            Abrir a aba Logs
          </Link>
        }
      />
    </div>
  )
}
