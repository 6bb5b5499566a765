// The picture of an account, or the first letter of its name.
import style from './avatar.module.css';

export interface AvatarProps {
  readonly userName: string;
  /** Data address; empty for none. */
  readonly picture: string;
  readonly size: number;
}

export function Avatar({ userName, picture, size }: AvatarProps) {
  const box = { width: size, height: size, fontSize: Math.round(size * 0.44) };
  if (picture !== '') return <img className={style.picture} style={box} src={picture} alt="" />;
  return (
    <span className={style.letter} style={box} aria-hidden="true">
      {(Array.from(userName)[0] ?? '–').toUpperCase()}
    </span>
  );
}
