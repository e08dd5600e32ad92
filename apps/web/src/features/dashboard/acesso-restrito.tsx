import { Lock } from 'lucide-react'

/** In place of a tab the user may not use (spec §2). */
export function AcessoRestrito() {
  return (
    <section className="card mx-auto mt-8 max-w-md p-8 text-center">
      <span className="mx-auto grid size-12 place-items-center rounded-full bg-sunken text-muted">
        <Lock aria-hidden className="size-6" />
      </span>
      <h2 className="mt-4 text-lg font-bold">Acesso Restrito</h2>
      <p className="mt-2 text-muted">Você não tem permissão para acessar este componente.</p>
      <p className="mt-2 text-sm text-muted">Peça ao administrador para liberar esta aba na sua conta.</p>
    </section>
  )
}
