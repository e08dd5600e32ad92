export function ForgotScreen() {
  return <main>Em construção</main>
}
