import { Link } from '@tanstack/react-router'

export function RegistrationClosed() {
  return (
    <>
      <p className="text-muted">
        O administrador não está recebendo novas contas agora. Se você já tem uma, é só entrar. Se precisa de uma, fale
        com quem administra este Balcão.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link to="/login" className="btn btn-primary btn-lg">
          Entrar
        </Link>
        <a href="/" className="btn btn-outline btn-lg">
          Voltar ao início
        </a>
      </div>
    </>
  )
}
